import ts from 'typescript';

/** A piece of text for people, with the line on which it begins. */
export interface Text {
  readonly line: number;
  readonly text: string;
  readonly kind: 'text' | 'comment';
  /** Whether a value is directly before the text: `${n} breaks`. */
  readonly afterValue?: boolean;
}

const SQL = /^\s*(?:select|insert into|update \w+ set|delete from|with \w+ (?:as|\()|create|alter|drop)\s/u;
const COMMENT = /\/\/.*|\/\*[^]*?\*\//gu;

/** Returns the lines of a Markdown document without code blocks, `code` and the targets of links. */
export function readMarkdown(source: string): Text[] {
  const texts: Text[] = [];
  let block: string | undefined;
  for (const [index, line] of source.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/u.exec(line)?.[1];
    if (mark === undefined) {
      if (block === undefined) texts.push({ line: index + 1, text: withoutCode(line), kind: 'text' });
    } else if (block === undefined) {
      block = mark;
    } else if (mark.startsWith(block)) {
      block = undefined;
    }
  }
  return texts;
}

/** Returns the string literals of a TypeScript file with more than one word, and its comments. */
export function readTypeScript(path: string, source: string): Text[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const texts: Text[] = [];
  const literals: ts.Node[] = [];

  const add = (node: ts.LiteralLikeNode, afterValue = false): void => {
    if (!afterValue && !/\S\s+\S/u.test(node.text)) return;
    texts.push({ line: lineOf(node.getStart(file)), text: withoutCode(node.text), kind: 'text', afterValue });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node)) literals.push(node);
    if (ts.isTemplateExpression(node)) {
      const isSql = SQL.test(node.head.text);
      literals.push(node.head, ...node.templateSpans.map(({ literal }) => literal));
      if (!isSql) {
        add(node.head);
        for (const { expression, literal } of node.templateSpans) add(literal, !isConstant(expression));
      }
    } else if (ts.isStringLiteralLike(node) && !isModuleOrType(node) && !SQL.test(node.text)) {
      add(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...texts, ...readComments(blankOut(source, literals, file), lineOf)];
}

function readComments(source: string, lineOf: (position: number) => number): Text[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) =>
    comment
      .split('\n')
      .map((text, offset): Text => ({ line: lineOf(index) + offset, text: withoutCode(text), kind: 'comment' })),
  );
}

/** Returns the source with blanks in place of its literals, so that `//` in a literal begins no comment. */
function blankOut(source: string, literals: readonly ts.Node[], file: ts.SourceFile): string {
  const characters = [...Array(source.length).keys()].map((index) => source.charAt(index));
  for (const literal of literals) {
    for (let index = literal.getStart(file); index < literal.getEnd(); index += 1) characters[index] = ' ';
  }
  return characters.join('');
}

const isModuleOrType = ({ parent }: ts.Node): boolean =>
  ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent);

const isConstant = (node: ts.Expression): boolean => ts.isIdentifier(node) && /^[A-Z0-9_]+$/u.test(node.text);

const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`/gu, '``').replaceAll(/\]\([^)]*\)/gu, ']');
