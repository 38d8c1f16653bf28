import ts from 'typescript';

/** A sentence for people that is in a source of the command line, and not in a catalog. */
export interface PlainText {
  readonly line: number;
  readonly text: string;
}

const TWO_WORDS = /\p{L}{2,} \p{L}{2,}/u;
const WORD = /\p{L}{3,}/u;
/** What these calls get is shown as it is. */
const OUTPUT = /^(?:line|writeAside|print|description|addHelpText)$/;
/** The names of columns are the ends of keys of the catalog. */
const COLUMNS = /(?:COLUMNS|^columns|Columns)$/;
/** Their texts are patterns, names of commands, and keys. */
const NO_TEXTS = /(?:MESSAGES|LIST_OF_THING|OPTION_OF_FIELD)$/;

/**
 * Returns the literals of a source with two words, and the words that are handed to the functions that write. Phrases of
 * errors that are translated are none of them.
 */
export function readPlainTexts(path: string, source: string, phrases: readonly string[]): PlainText[] {
  const known = new Set(phrases.map((phrase) => phrase.replaceAll(/\{\{\w+\}\}/g, '{{}}')));
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: PlainText[] = [];
  const visit = (node: ts.Node, isShown: boolean): void => {
    const phrase = phraseOf(node);
    if (isOther(node) || (phrase !== undefined && known.has(phrase))) return;
    const text = textOf(node);
    if (text !== undefined && (TWO_WORDS.test(text) || (isShown && WORD.test(text)))) {
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text });
    }
    const calls = ts.isCallExpression(node) ? isOutput(node) : isShown && !ts.isArrowFunction(node);
    ts.forEachChild(node, (child) => {
      visit(child, calls);
    });
  };
  visit(file, false);
  return found;
}

/** Returns the text of a literal without what a person types: options, values and commands. */
function textOf(node: ts.Node): string | undefined {
  const isLiteral = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  return isLiteral ? node.text.replaceAll(/"millime [^"]*"|^millime .*|--[a-z-]+|<[^>]*>/g, '') : undefined;
}

/** Returns the English phrase that the error of a faulty field holds; each value is a hole. */
function phraseOf(node: ts.Node): string | undefined {
  if (ts.isSourceFile(node)) return undefined;
  let { parent } = node;
  while (ts.isConditionalExpression(parent)) parent = parent.parent;
  const name = ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) ? parent.name.getText() : '';
  if (!/^(?:expected|fault|fix|command)$/.test(name) && !ts.isNewExpression(parent)) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{{}}${literal.text}`).join('');
}

function isOutput({ expression }: ts.CallExpression): boolean {
  return OUTPUT.test(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());
}

function isOther(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isVariableDeclaration(node)) return COLUMNS.test(node.name.getText()) || NO_TEXTS.test(node.name.getText());
  // The columns of a table that are named in the call.
  return (
    ts.isArrayLiteralExpression(node) &&
    ts.isCallExpression(node.parent) &&
    /^print(?:Table|Section)$/.test(node.parent.expression.getText())
  );
}
