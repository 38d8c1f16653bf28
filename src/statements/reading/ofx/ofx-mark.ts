import { lineAt } from '../line-at';
import { refusal } from '../refusal';

/** The markup that a `<` starts. */
export interface Mark {
  /** `ignored`: a comment or a processing instruction. */
  readonly kind: 'open' | 'close' | 'empty' | 'ignored' | 'cdata';
  readonly start: number;
  readonly end: number;
  /** The name of the tag in capitals, or the text of a CDATA section. */
  readonly name: string;
}

const TAG = /<\/?([A-Za-z][A-Za-z0-9._-]{0,63})(?:\s[^<>]{0,1000}|\/)?>/y;
const SLASH = 0x2f;
const EXCLAMATION_MARK = 0x21;
const QUESTION_MARK = 0x3f;

/**
 * Returns the markup that the `<` at `start` starts; undefined if it is text, as in `A < B`.
 * @throws AppError `bad_input` for a declaration, and for markup that never ends.
 */
export function markAt(text: string, start: number): Mark | undefined {
  const second = text.charCodeAt(start + 1);
  if (second === EXCLAMATION_MARK) return sectionAt(text, start);
  if (second === QUESTION_MARK) return { kind: 'ignored', start, end: endOf(text, start, '<?', '?>'), name: '' };
  TAG.lastIndex = start;
  const name = TAG.exec(text)?.[1];
  if (name === undefined) return undefined;
  const end = TAG.lastIndex;
  const kind = second === SLASH ? 'close' : text.charCodeAt(end - 2) === SLASH ? 'empty' : 'open';
  return { kind, start, end, name: name.toUpperCase() };
}

function sectionAt(text: string, start: number): Mark | undefined {
  if (text.startsWith('<!--', start)) {
    return { kind: 'ignored', start, end: endOf(text, start, '<!--', '-->'), name: '' };
  }
  const opening = '<![CDATA[';
  const closing = ']]>';
  if (text.startsWith(opening, start)) {
    const end = endOf(text, start, opening, closing);
    return { kind: 'cdata', start, end, name: text.slice(start + opening.length, end - closing.length) };
  }
  // A declaration may define entities that grow without limit or read files.
  if (/^<![A-Za-z[]/.test(text.slice(start, start + 3))) {
    throw refusal(`line ${lineAt(text, start)}: expected an element, got a declaration (DOCTYPE or another)`);
  }
  return undefined;
}

function endOf(text: string, start: number, opening: string, closing: string): number {
  const at = text.indexOf(closing, start + opening.length);
  if (at !== -1) return at + closing.length;
  throw refusal(`line ${lineAt(text, start)}: expected ${closing} after ${opening}, got the end of the file`);
}
