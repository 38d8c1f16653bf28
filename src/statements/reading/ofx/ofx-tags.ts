import { TEXT_CHARACTERS_MAX } from '../limits';
import { lineAt, lineEndsIn } from '../line-at';
import { refusal } from '../refusal';
import { type Mark, markAt } from './ofx-mark';

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const FIRST_PRINTABLE = 0x20;
const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** A tag of an OFX file, with the text up to the next tag. */
export interface OfxTag {
  /** `empty`: opens and closes itself, as `<MEMO/>`. */
  readonly kind: 'open' | 'close' | 'empty';
  /** In capitals. */
  readonly name: string;
  readonly line: number;
  /** The offsets of the tag's start and end in the text. */
  readonly start: number;
  readonly end: number;
  /** Decoded and trimmed; empty if only blanks follow. */
  readonly text: string;
}

/** Far above the tags of a file of 16 MiB from a bank. */
const TAGS_MAX = 1_000_000;

/**
 * Splits an OFX file into its tags, in one pass, and passes each to `take`. It drops comments and processing
 * instructions, and CDATA is text. It does not check which element may be where.
 * @returns the text before the first tag: the headers of version 1.
 * @throws AppError `bad_input` for a DOCTYPE or another declaration, for markup that never ends, and beyond a limit.
 */
export function readOfxTags(text: string, take: (tag: OfxTag) => void): string {
  let mark = nextMark(text, 0);
  let header = text.slice(0, mark?.start);
  while (mark?.kind === 'ignored') {
    const { end } = mark;
    mark = nextMark(text, end);
    // Only the text before the first instruction matters: no header of version 1 follows one.
    header = header.trim() === '' ? text.slice(end, mark?.start) : header;
  }
  if (mark?.kind === 'cdata') throw refusal(`line ${lineAt(text, mark.start)}: expected <OFX>, got a CDATA section`);
  let line = 1;
  let counted = 0;
  for (let count = 1; mark !== undefined; count += 1) {
    if (count > TAGS_MAX) throw refusal(`line ${line}: expected at most ${TAGS_MAX} tags, got more`);
    const { start, end, name } = mark;
    line += lineEndsIn(text, counted, start);
    counted = start;
    let next = nextMark(text, end);
    let value = textBetween(text, end, next?.start);
    if (next !== undefined && !isTag(next)) [value, next] = joined(text, value, next);
    value = value.trim();
    if (value.length > TEXT_CHARACTERS_MAX) {
      throw refusal(`line ${line}: expected at most ${TEXT_CHARACTERS_MAX} characters in <${name}>, got more`);
    }
    if (isTag(mark)) take({ kind: mark.kind, name, line, start, end, text: value });
    mark = next;
  }
  return header.trim();
}

type TagMark = Mark & { readonly kind: OfxTag['kind'] };

function isTag(mark: Mark): mark is TagMark {
  return mark.kind !== 'ignored' && mark.kind !== 'cdata';
}

/** Returns the text that continues after comments and CDATA, and the next tag. */
function joined(text: string, before: string, first: Mark): [string, Mark | undefined] {
  const pieces = [before];
  let mark: Mark | undefined = first;
  while (mark !== undefined && !isTag(mark)) {
    const { end }: Mark = mark;
    if (mark.kind === 'cdata') pieces.push(mark.name);
    mark = nextMark(text, end);
    pieces.push(textBetween(text, end, mark?.start));
  }
  return [pieces.join(''), mark];
}

/** Decodes a text only if it is not too long, because decoding entities is slow. */
function textBetween(text: string, start: number, end: number | undefined): string {
  if (start === end) return '';
  const written = text.slice(start, end);
  return written.length > TEXT_CHARACTERS_MAX ? written : plainText(written);
}

function nextMark(text: string, from: number): Mark | undefined {
  for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
    const mark = markAt(text, at);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/**
 * Returns the text of an element, with its entities replaced once: `&amp;lt;` is `&lt;`. Other text stays unchanged,
 * because banks write a bare `&`.
 */
function plainText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (written, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? written;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return isCharacter(code) ? String.fromCodePoint(code) : written;
  });
}

function isCharacter(code: number): boolean {
  return code >= FIRST_PRINTABLE && code <= LAST_CODE_POINT && !(code >= FIRST_SURROGATE && code <= LAST_SURROGATE);
}
