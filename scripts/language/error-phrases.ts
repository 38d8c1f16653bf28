import ts from 'typescript';
import { phraseIn } from '../../src/texts';

/** A phrase that a module writes for an error, a notice or an obstacle; each value is `{{}}`. */
export interface ErrorPhrase {
  readonly line: number;
  readonly text: string;
}

/** Properties and variables whose texts end in errors. */
const NAMES = /^(?:expected|fault|fix|command|reason|lost|details|got)$/;
/** Functions whose arguments end in errors. */
const REFUSING =
  /^(?:refuse\w*|refusal\w*|fail|lost|because|complain|noProposal|damaged|unclear\w*|addFault|\w*Fault|fault|conflict|badInput|notFound|forbidden|busy|obstacle|AppError)$/;
/** Functions whose results end in errors. */
const RETURNING = /(?:Faults?|Advice|reasonOf|importing|accepting)$/i;
/** The first argument makes the sentence of a code, which `problems.json` or `cli.json` has in French. */
const CODED = /^(?:conflict|badInput|notFound|forbidden|busy|obstacle)$/;
const HOLE = '{{}}';
/** A place in a file, and the name of a field. */
const PLACE = /^(?:(?:\w+, )?(?:line|row|cell|column) \w+: )?(?:[\w<>-]+: )?/;

/** Returns the phrases of a source that end in errors for people. */
export function readErrorPhrases(path: string, source: string): ErrorPhrase[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: ErrorPhrase[] = [];
  const visit = (node: ts.Node, isError: boolean): void => {
    const text = isError ? textOf(node) : undefined;
    if (text === undefined) {
      ts.forEachChild(node, (child) => {
        visit(child, isOfError(child, node, isError));
      });
    } else if (isSentence(text)) {
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text });
    }
  };
  visit(file, false);
  return found;
}

/** The command line shows these alone, without the English words around them. */
const COMMAND = /"millime [^"]*"|^millime .*|^run \S+ first$/g;

type Catalog = Readonly<Record<string, string>>;

/** Returns a function that decides whether the command line translates all of a phrase. */
export function translatedBy(phrases: Catalog): (phrase: ErrorPhrase) => boolean {
  // With these translations only the texts of holes are left.
  const left = Object.fromEntries(
    Object.entries(phrases).map(([english, text]) => [english, `(${(text.match(/\{\{\w+\}\}/g) ?? []).join(') (')})`]),
  );
  const isKnown = (text: string): boolean => !isSentence(phraseIn(left, text));
  return ({ text }) => {
    const sample = text.replaceAll(HOLE, '0');
    // The command line takes these off.
    return isKnown(sample) || isKnown(sample.replace(PLACE, ''));
  };
}

/** Returns whether a text has two words, perhaps with a value between them, that are no command. */
function isSentence(text: string): boolean {
  const plain = text.replaceAll(COMMAND, '"').replaceAll(/\{\{\}\}|\b0\b/g, '');
  return /\p{L}{2,} +(?:a )?\p{L}{2,}/u.test(plain);
}

/** Returns the text of a literal, a template or a sum of them; undefined for any other node. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => HOLE + literal.text).join('');
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const parts = [textOf(node.left), textOf(node.right)];
  return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? HOLE).join('');
}

/** Returns whether a node is a text of an error, or contains such texts. */
function isOfError(node: ts.Node, parent: ts.Node, isError: boolean): boolean {
  if (ts.isTypeNode(node)) return false;
  if (ts.isPropertyAssignment(parent)) {
    const name = parent.name.getText();
    return node === parent.initializer && (NAMES.test(name) || (isError && name === 'text'));
  }
  if (ts.isVariableDeclaration(parent)) {
    const name = parent.name.getText();
    return node === parent.initializer && (NAMES.test(name) || RETURNING.test(name));
  }
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    const { expression, arguments: given = [] } = parent;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    return REFUSING.test(name) && node !== expression && !(CODED.test(name) && node === given[0]);
  }
  if (ts.isReturnStatement(parent)) return RETURNING.test(nameOfFunction(parent));
  if (ts.isConditionalExpression(parent)) return isError && node !== parent.condition;
  if (ts.isBinaryExpression(parent)) {
    return isError && /^(?:\?\?|\|\|)$/.test(parent.operatorToken.getText()) && !ts.isBinaryExpression(node);
  }
  const isOpen =
    ts.isObjectLiteralExpression(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isSpreadAssignment(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    (ts.isArrowFunction(parent) && node === parent.body);
  return isError && isOpen;
}

function nameOfFunction(node: ts.Node): string {
  let { parent } = node;
  while (!ts.isFunctionLike(parent)) parent = parent.parent;
  const named = ts.isArrowFunction(parent) ? parent.parent : parent;
  return 'name' in named ? ((named as ts.NamedDeclaration).name?.getText() ?? '') : '';
}
