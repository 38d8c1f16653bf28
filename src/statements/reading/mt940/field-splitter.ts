import { TEXT_CHARACTERS_MAX } from '../limits';
import type { PhysicalLine } from './physical-lines';
import { refuse } from './refuse';

/** A tag with its content. */
export interface Field {
  /** `61`, `60F`. */
  readonly tag: string;
  /** The first line after the tag. */
  readonly text: string;
  /** The following lines, unchanged. */
  readonly more: readonly string[];
  readonly fileLine: number;
  /** False if the file ends in its first line. */
  readonly ended: boolean;
  /** As written in the file, with the tag. */
  readonly raw: string;
}

export type Token =
  | { readonly kind: 'field'; readonly field: Field }
  /** Another message follows. */
  | { readonly kind: 'boundary'; readonly fileLine: number }
  /** The envelope of the next message shows whether it is an MT942. */
  | { readonly kind: 'envelope'; readonly interim: boolean };

const TAG = /^:(\d{2}[A-Z]?|\d{3}|[A-Z]{2,3}):/;
/** Lines with money are recognized even after blanks, because reading them as text would silently lose money. */
const INDENTED_MONEY = /^[ \t]+:(60[FM]|61|62[FM]):/;
/** Tags that name the account or the purpose. After blanks they may also be free text. */
const INDENTED_OTHER = /^[ \t]+:(20|21|25P?|28C?|86):/;
const KNOWN_TAGS = new Set('13 13D 20 21 25 25P 28 28C 34F 60F 60M 61 62F 62M 64 65 86 90C 90D 940 NS'.split(' '));
/** Tags that follow a line's text within one message. Each other tag begins a message, a page or its header. */
const TAGS_AFTER_TEXT = new Set(['61', '62F', '62M', '64', '65', '86', '90C', '90D']);
const ENVELOPE = /^\{[1-5S]:/;
/** The first blocks of an envelope. The file may end in the second character of one. */
const ENVELOPE_BEGINS = /\{(?:[12]:|[12]?$)/;
const CUT_ENVELOPE = /^\{[12]?$/;
const MESSAGE_TYPE = /\{2:[IO](\d{3})/;
const ENVELOPE_CHARACTERS_MAX = 4096;
/** The limit on lines between messages. A file of another kind is refused here, whatever its length. */
const OUTSIDE_LINES_MAX = 10_000;

interface OpenField {
  readonly tag: string;
  /** The blanks before it. */
  readonly indent: string;
  readonly text: string;
  readonly more: string[];
  readonly fileLine: number;
  readonly ended: boolean;
  readonly raw: string[];
  characters: number;
}

/** Splits lines into fields and messages, whatever a bank writes around them. */
export class FieldSplitter {
  #field: OpenField | undefined;
  /** The line where block 4 of the open envelope starts. */
  #blockLine: number | undefined;
  /** The line where an envelope starts whose block 4 has not come yet. */
  #envelopeLine: number | undefined;
  /** Whether the message has its closing balance, after which no line's text follows. */
  #closed = false;
  #outside = 0;
  /** A lone hyphen in a line's text, and the lines after it, until a tag shows whether the message ended there. */
  #afterHyphen: PhysicalLine[] = [];
  #charactersAfterHyphen = 0;

  push(line: PhysicalLine): Token[] {
    if (this.#afterHyphen.length === 0) return this.#push(line);
    const text = withoutTransmissionMarks(line.text);
    const next = ENVELOPE.test(text) || text.startsWith('-}') ? 'message' : this.#kindAfterHyphen(text);
    this.#charactersAfterHyphen += text.length + 1;
    if (next === 'unknown' && this.#charactersAfterHyphen <= TEXT_CHARACTERS_MAX) {
      this.#afterHyphen.push(line);
      return [];
    }
    return [...this.#release(next === 'text' ? 'text' : 'message'), ...this.push(line)];
  }

  /** Returns what a line says about the hyphen before it. */
  #kindAfterHyphen(text: string): 'text' | 'message' | 'unknown' {
    const [head, tag] = TAG.exec(text) ?? INDENTED_MONEY.exec(text) ?? this.#indented(text) ?? [];
    if (head === undefined || tag === undefined || this.#isWrappedText(tag, text.slice(head.length))) return 'unknown';
    return TAGS_AFTER_TEXT.has(tag) ? 'text' : 'message';
  }

  /** Reads the lines since the hyphen: as text of the open field, or as the end of the message and lines outside. */
  #release(as: 'text' | 'message'): Token[] {
    const [hyphen, ...others] = this.#afterHyphen;
    this.#afterHyphen = [];
    this.#charactersAfterHyphen = 0;
    if (hyphen === undefined) return [];
    if (as === 'message') return [...this.#boundary(hyphen.number), ...others.flatMap((line) => this.#push(line))];
    for (const line of [hyphen, ...others]) this.#continue(line, withoutTransmissionMarks(line.text));
    return [];
  }

  #push(line: PhysicalLine): Token[] {
    this.#countOutside(line);
    const text = withoutTransmissionMarks(line.text);
    if (text.startsWith('-}')) return [...this.#boundary(line.number), ...this.#envelope(line, text.slice(2))];
    if (text.trim() === '-') return this.#hyphen(line, text);
    if (ENVELOPE.test(text) || (!line.ended && CUT_ENVELOPE.test(text))) {
      return [...this.#boundary(line.number), ...this.#envelope(line, text)];
    }
    const end = this.#blockLine === undefined ? -1 : endOfBlock(text);
    if (end === -1) return this.#line(line, text);
    const before = this.#line({ ...line, ended: true }, text.slice(0, end));
    return [...before, ...this.#boundary(line.number), ...this.#envelope(line, text.slice(end + 2))];
  }

  /**
   * Reads a lone hyphen. It ends a message, except inside an envelope, where `-}` does, and except in the text of a
   * line, where the next tag decides.
   */
  #hyphen(line: PhysicalLine, text: string): Token[] {
    if (this.#blockLine !== undefined && !this.#closed) return this.#line(line, text);
    if (!this.#isInText()) return this.#boundary(line.number);
    this.#afterHyphen = [line];
    return [];
  }

  #isInText(): boolean {
    return !this.#closed && (this.#field?.tag === '61' || this.#field?.tag === '86');
  }

  /** Ends the file. @throws AppError `bad_input` if it ends inside an envelope, or before the enveloped message. */
  end(fileLine: number): Token[] {
    const released = this.#release('message');
    if (this.#blockLine !== undefined) {
      refuse({ fileLine, expected: `-} to close the block {4: of line ${this.#blockLine}`, found: undefined });
    }
    if (this.#envelopeLine !== undefined) {
      refuse({ fileLine: this.#envelopeLine, expected: 'the rest of the envelope', found: undefined });
    }
    return [...released, ...this.#boundary(fileLine)];
  }

  #countOutside(line: PhysicalLine): void {
    this.#outside = this.#field === undefined ? this.#outside + 1 : 0;
    if (this.#outside <= OUTSIDE_LINES_MAX) return;
    const expected = `a statement within ${OUTSIDE_LINES_MAX} lines`;
    refuse({ fileLine: line.number, expected, found: line.text });
  }

  #line(line: PhysicalLine, text: string): Token[] {
    const [head, tag] = TAG.exec(text) ?? INDENTED_MONEY.exec(text) ?? this.#indented(text) ?? [];
    if (head === undefined || tag === undefined || this.#isWrappedText(tag, text.slice(head.length))) {
      this.#continue(line, text);
      return [];
    }
    if (text.length > TEXT_CHARACTERS_MAX) this.#tooLong(line.number, tag, text);
    const done = this.#finish();
    if (tag.startsWith('62')) this.#closed = true;
    if (tag === '20' || tag.startsWith('60')) this.#closed = false;
    this.#envelopeLine = undefined;
    this.#field = {
      tag,
      indent: indentOf(text),
      text: text.slice(head.length),
      more: [],
      fileLine: line.number,
      ended: line.ended,
      raw: [text],
      characters: text.length,
    };
    return done;
  }

  /** In the text of a line with money, a tag counts only at the indent of the line: a person may have written others. */
  #indented(text: string): RegExpExecArray | undefined {
    if (this.#isInText() && this.#field?.indent !== indentOf(text)) return undefined;
    return INDENTED_OTHER.exec(text) ?? undefined;
  }

  /**
   * Returns whether a tag is wrapped text. Banks wrap `2017-01-01T13:12:11`, so a line may start with `:12:`, which is
   * no tag of these messages.
   */
  #isWrappedText(tag: string, value: string): boolean {
    const open = this.#field;
    if (open?.tag !== '86') return false;
    if (!KNOWN_TAGS.has(tag)) return /^(?:\d{2}|[A-Z]+)$/.test(tag);
    if (!/^\d{2}$/.test(tag)) return false;
    const before = (open.more.at(-1) ?? open.text).slice(-3);
    return !this.#closed && Number(tag) < 60 && /^[ T]\d{2}$/.test(before) && /^\d{2}(\D|$)/.test(value);
  }

  #continue(line: PhysicalLine, text: string): void {
    const open = this.#field;
    if (open === undefined) return;
    open.characters += text.length + 1;
    if (open.characters > TEXT_CHARACTERS_MAX) this.#tooLong(line.number, open.tag, text);
    open.more.push(text);
    open.raw.push(text);
  }

  #tooLong(fileLine: number, tag: string, found: string): never {
    return refuse({ fileLine, expected: `at most ${TEXT_CHARACTERS_MAX} characters in :${tag}:`, found });
  }

  #finish(): Token[] {
    const open = this.#field;
    this.#field = undefined;
    return open === undefined ? [] : [{ kind: 'field', field: { ...open, raw: open.raw.join('\n').trimEnd() } }];
  }

  #boundary(fileLine: number): Token[] {
    const tokens: Token[] = [...this.#finish(), { kind: 'boundary', fileLine }];
    this.#blockLine = undefined;
    this.#closed = false;
    return tokens;
  }

  #envelope(line: PhysicalLine, text: string): Token[] {
    if (text.length > ENVELOPE_CHARACTERS_MAX) {
      refuse({ fileLine: line.number, expected: 'an envelope that ends', found: text });
    }
    const type = MESSAGE_TYPE.exec(text)?.[1];
    const tokens: Token[] = type === undefined ? [] : [{ kind: 'envelope', interim: type === '942' }];
    const block = text.indexOf('{4:');
    if (block === -1) {
      if (ENVELOPE_BEGINS.test(text)) this.#envelopeLine ??= line.number;
      return tokens;
    }
    this.#envelopeLine = undefined;
    this.#blockLine = line.number;
    const rest = withoutTransmissionMarks(text.slice(block + 3));
    if (rest.trim() === '') return tokens;
    if (TAG.test(rest)) return [...tokens, ...this.#line(line, rest)];
    if (rest.startsWith('-}') && !rest.includes('{4:')) return [...tokens, ...this.#boundary(line.number)];
    return refuse({ fileLine: line.number, expected: 'a line break or a tag after {4:', found: rest });
  }
}

function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}

/** Returns the position of the `-}` that a bank writes after its last field; -1 without one. */
function endOfBlock(text: string): number {
  return text.endsWith('-}') ? text.length - 2 : text.indexOf('-}{5:');
}

/**
 * Removes the control characters that mark the start and the end of a transmission. Not by a pattern, because the text
 * may be long.
 */
function withoutTransmissionMarks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTransmissionMark(text.charCodeAt(start))) start += 1;
  while (end > start && isTransmissionMark(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const SUBSTITUTE = 0x1a;
const END_OF_TEXT = 0x04;

function isTransmissionMark(code: number): boolean {
  return (code >= 1 && code <= END_OF_TEXT) || code === SUBSTITUTE;
}
