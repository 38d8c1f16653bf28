import ts from 'typescript';

/** The texts of the source language, by their keys without plural forms: `common:backTo`. */
export type KnownTexts = ReadonlyMap<string, { readonly holes: readonly string[] }>;

/** The uses of texts in one file. */
export interface TextUses {
  /** Keys that the file names, and patterns of the keys that its templates may build. */
  readonly keys: readonly string[];
  readonly patterns: readonly RegExp[];
  /** Calls whose values are not those of the text, with their lines. */
  readonly faults: readonly { readonly line: number; readonly fault: string }[];
}

/** Reads which texts a source uses, and compares the values of each call `t('key', { … })` with the holes of its text. */
export function readTextUses(path: string, source: string, known: KnownTexts): TextUses {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const keys: string[] = [];
  const patterns: RegExp[] = [];
  const faults: { line: number; fault: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && known.has(node.text)) keys.push(node.text);
    if (ts.isTemplateExpression(node) && /^[a-z]+:/.test(node.head.text)) patterns.push(patternOf(node));
    if (ts.isCallExpression(node) && isTranslation(node)) {
      const fault = faultOf(node, known);
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      if (fault !== undefined) faults.push({ line, fault });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { keys, patterns, faults };
}

function patternOf({ head, templateSpans }: ts.TemplateExpression): RegExp {
  const texts = [head.text, ...templateSpans.map(({ literal }) => literal.text)];
  return new RegExp(`^${texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`);
}

function isTranslation({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression)
    ? expression.name.text === 't'
    : ts.isIdentifier(expression) && expression.text === 't';
}

/** Returns how the values of a call differ from the holes of its text; undefined if they agree or are not stated there. */
function faultOf({ arguments: [key, values] }: ts.CallExpression, known: KnownTexts): string | undefined {
  const holes = key !== undefined && ts.isStringLiteralLike(key) ? known.get(key.text)?.holes : undefined;
  const given = holes === undefined ? undefined : namesOf(values);
  if (holes === undefined || given === undefined || key === undefined) return undefined;
  const lacks = holes.filter((hole) => !given.includes(hole));
  const extra = given.filter((name) => !holes.includes(name));
  if (lacks.length + extra.length === 0) return undefined;
  return `${key.getText()}: expected the values ${holes.join(', ') || '(none)'}, got ${given.join(', ') || '(none)'}`;
}

/** Returns the names of an object literal; undefined for any other expression. */
function namesOf(values: ts.Expression | undefined): string[] | undefined {
  if (values === undefined) return [];
  if (!ts.isObjectLiteralExpression(values)) return undefined;
  const names = values.properties.map(({ name }) =>
    name !== undefined && ts.isIdentifier(name) ? name.text : undefined,
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}
