// The numbered faults: their list in docs/RELIABILITY.md, and the tests that name them.
import ts from 'typescript';

/** A row of the list of faults. */
export interface ListedFault {
  readonly number: string;
  readonly fault: string;
  readonly expected: string;
}

const ROW = /^\| ([FS]\d+) +\| (.+?) +\| (.+?) +\|$/gm;
/** Where a title names numbers: `F7: …`, or `S2, S4: …`. */
const NAMING = String.raw`(?:^|\s)((?:[FS]\d{1,2}, )*[FS]\d{1,2}): `;
const REGISTERS_TEST = /^(?:test|describe)/;

/** Reads the table of faults in the text of docs/RELIABILITY.md. */
export function readFaultList(markdown: string): ListedFault[] {
  return [...markdown.matchAll(ROW)].map(([, number = '', fault = '', expected = '']) => ({ number, fault, expected }));
}

/** Returns the numbers that the name of a test has, as jest joins it from the titles around it. */
export function numbersIn(name: string): string[] {
  return [...name.matchAll(new RegExp(NAMING, 'g'))].flatMap(([, numbers = '']) => numbers.split(', '));
}

/** Returns the pattern with which jest selects the tests that name a number, or those that name any. */
export function patternOf(number = String.raw`[FS]\d{1,2}`): string {
  return String.raw`(?:^|\s)(?:[FS]\d{1,2}, )*${number}(?:, [FS]\d{1,2})*: `;
}

/**
 * Returns the numbers that a test file names: in the titles of its suites and tests, and in the rows of their tables,
 * which become parts of titles.
 */
export function numbersOfFile(source: string): string[] {
  if (numbersIn(source.replaceAll(/['"`]/g, ' ')).length === 0) return []; // most files; parsing is slow
  const file = ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && REGISTERS_TEST.test(nameOfCallee(node))) {
      const [first] = node.arguments;
      if (first !== undefined) found.push(...textsIn(first).flatMap(numbersIn));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...new Set(found)];
}

/** Returns the name that a call begins with: `test` of `test.each([…])('…', …)`. */
function nameOfCallee(call: ts.CallExpression): string {
  let callee: ts.Expression = call.expression;
  while (!ts.isIdentifier(callee)) {
    if (!ts.isPropertyAccessExpression(callee) && !ts.isCallExpression(callee)) return '';
    callee = callee.expression;
  }
  return callee.text;
}

/** Returns the literals of a title or a table, without those inside functions. A value in a template is a space. */
function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [[node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ')];
  }
  if (ts.isFunctionLike(node)) return [];
  const texts: string[] = [];
  ts.forEachChild(node, (child) => void texts.push(...textsIn(child)));
  return texts;
}

/** Sorts `F3` before `F10`, numbers of security after all of those, and faults without a number last. */
export function compareFaults(a: string, b: string): number {
  const [first, second] = [rank(a), rank(b)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function rank(fault: string): string {
  const [, kind = '', number] = /^([FS])(\d+)$/.exec(fault) ?? [];
  return number === undefined ? `~${fault}` : `${kind}${number.padStart(4, '0')}`;
}
