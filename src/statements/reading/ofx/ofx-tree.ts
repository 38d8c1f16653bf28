import { assert, quoted } from '../../../kernel';
import { DEPTH_MAX, TEXT_CHARACTERS_MAX } from '../limits';
import { refusal } from '../refusal';
import {
  BALANCES,
  HOLD_ANSWERS,
  isOfxElementName,
  OFX_ELEMENTS,
  type OfxElement,
  type OfxElementName,
  type OfxValue,
  PLACES_OF_VALUE,
  REPEATABLE_VALUES,
  SINGLE_VALUES,
} from './ofx-element';
import type { OfxTag } from './ofx-tags';

/** Receives each element at its end, after its children. `end` is the end of its last tag in the text. */
export interface OfxListener {
  closed(element: OfxElement, parents: readonly OfxElement[], end: number): void;
  /** Called for an answer that is no statement, such as one of an investment account. */
  passedOver(name: string, line: number): void;
  /** Called for a list of transactions without its closing tag. `line` is that of its opening tag. */
  leftOpen(name: string, line: number): void;
}

interface OpenElement extends OfxElement {
  readonly values: Map<string, OfxValue>;
  readonly parts: Map<string, OfxElement>;
  /** Its open elements of unknown name that contain no text. */
  readonly unknown: string[];
}

/** The number of times that an element may repeat a text. */
const REPEATS_MAX = 100;

/** These may be numerous, and each is passed on when it ends. The others belong to the element around them. */
const LISTED: ReadonlySet<OfxElementName> = new Set([
  ...(['SIGNONMSGSRSV1', 'SONRS', 'BANKMSGSRSV1', 'CREDITCARDMSGSRSV1', 'STATUS', 'STMTTRNRS', 'CCSTMTTRNRS'] as const),
  ...(['STMTRS', 'CCSTMTRS', 'BANKTRANLISTP', 'STMTTRN', 'STMTTRNP', 'BAL'] as const),
]);

/** Some banks leave these open. Each transaction inside has its own end, so the end of the list shows nothing more. */
const MAY_STAY_OPEN: ReadonlySet<string> = new Set(['BANKTRANLIST', 'BANKTRANLISTP', ...BALANCES]);

/** Banks write these with a plain text, too: `<CURRENCY>EUR`. */
const PLAIN_VALUE_OF: Readonly<Partial<Record<OfxElementName, string>>> = {
  CURRENCY: 'CURSYM',
  ORIGCURRENCY: 'CURSYM',
  PAYEE: 'NAME',
  LEDGERBAL: 'BALAMT',
  AVAILBAL: 'BALAMT',
};

/**
 * Builds elements from tags. Elements with children must be closed. In SGML a value need not be: it ends where the next
 * tag starts.
 */
export class OfxTree {
  readonly #listener: OfxListener;
  readonly #open: OpenElement[] = [];
  /** The last value read: its closing tag may follow. */
  #lastValue = '';
  #passing: { readonly name: string; readonly line: number } | undefined;
  #ended = false;

  constructor(listener: OfxListener) {
    this.#listener = listener;
  }

  /** Adds a tag. @throws AppError `bad_input` if it is not allowed here. */
  add(tag: OfxTag): void {
    if (this.#passing !== undefined) this.#pass(tag, this.#passing.name);
    else if (tag.kind === 'close') this.#close(tag);
    else this.#opening(tag);
  }

  /** Ends the file. @throws AppError `bad_input` if an element is still open: the file is truncated. */
  end(): void {
    const open = this.#passing ?? this.#open.at(-1);
    if (open !== undefined) {
      throw refusal(`line ${open.line}: expected </${open.name}>, got the end of the file; the file is truncated`);
    }
    if (!this.#ended) throw refusal('line 1: expected <OFX>, got the end of the file');
  }

  #pass({ kind, name }: OfxTag, passing: string): void {
    if (kind === 'close' && name === passing) this.#passing = undefined;
  }

  #opening(tag: OfxTag): void {
    const { name, line, text } = tag;
    if (isOfxElementName(name) && this.#around()?.includes(name) === true) this.#closeLeftOpen(tag.start);
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      if (this.#ended) throw refusal(`line ${line}: expected the end of the file after </OFX>, got <${name}>`);
      if (name !== 'OFX') throw refusal(`line ${line}: expected <OFX>, got <${name}>`);
    }
    if (isOfxElementName(name)) this.#openElement(tag, name, parent);
    else if (parent !== undefined && HOLD_ANSWERS.has(parent.name) && text === '') this.#startPassing(tag);
    else if (parent !== undefined) {
      if (tag.kind === 'open' && text === '') this.#goDeeper(parent, tag);
      this.#addValue(parent, name, { text, line });
    }
  }

  /** The content of an unknown element counts as if it stood outside, so only this method sees its depth. */
  #goDeeper({ unknown }: OpenElement, { name, line }: OfxTag): void {
    unknown.push(name);
    if (this.#open.length + unknown.length > DEPTH_MAX) {
      throw refusal(`line ${line}: expected at most ${DEPTH_MAX} elements inside each other, got <${name}>`);
    }
  }

  #openElement(tag: OfxTag, name: OfxElementName, parent: OpenElement | undefined): void {
    const { line, start, text } = tag;
    const allowed: readonly string[] = parent === undefined ? ['OFX'] : OFX_ELEMENTS[parent.name];
    if (parent !== undefined && !allowed.includes(name)) {
      throw refusal(`line ${line}: expected </${parent.name}> of line ${parent.line}, got <${name}>`);
    }
    const before = BALANCES.has(name) ? parent?.parts.get(name) : undefined;
    if (parent !== undefined && !LISTED.has(name) && before === undefined && parent.parts.has(name)) {
      throw refusal(`line ${line}: expected one <${name}> in <${parent.name}>, got another`);
    }
    const element: OpenElement = { name, line, start, values: new Map(before?.values), parts: new Map(), unknown: [] };
    const plain = PLAIN_VALUE_OF[name];
    if (text !== '' && plain !== undefined) {
      this.#addValue(element, plain, { text, line });
      parent?.parts.set(name, element);
      this.#lastValue = name;
      return;
    }
    if (text !== '') throw refusal(`line ${line}: expected an element in <${name}>, got ${quoted(text)}`);
    this.#open.push(element);
    if (tag.kind === 'empty') this.#closeTop(tag.end);
  }

  #startPassing({ kind, name, line }: OfxTag): void {
    this.#listener.passedOver(name, line);
    if (kind === 'open') this.#passing = { name, line };
  }

  #addValue(parent: OpenElement, name: string, value: OfxValue): void {
    this.#lastValue = name;
    const places = PLACES_OF_VALUE.get(name);
    if (places !== undefined && !places.includes(parent.name)) {
      throw refusal(`line ${value.line}: expected ${name} in <${places.join('> or <')}>, got it in <${parent.name}>`);
    }
    const before = parent.values.get(name);
    if (REPEATABLE_VALUES.has(name)) {
      parent.values.set(name, before === undefined ? value : this.#joined(parent, before, value));
    } else if (SINGLE_VALUES.has(name)) {
      if (before !== undefined) {
        throw refusal(`line ${value.line}: expected one ${name} in <${parent.name}>, got a second`);
      }
      parent.values.set(name, value);
    }
  }

  #joined(parent: OpenElement, before: OfxValue, { text, line }: OfxValue): OfxValue {
    if (before.text.length + text.length > TEXT_CHARACTERS_MAX || before.count === REPEATS_MAX) {
      throw refusal(`line ${line}: expected a shorter text in <${parent.name}>`);
    }
    return { text: `${before.text} ${text}`.trim(), line: before.line, count: (before.count ?? 1) + 1 };
  }

  #close({ name, line, text, start, end }: OfxTag): void {
    const isValue = name === this.#lastValue;
    this.#lastValue = '';
    const known = isOfxElementName(name);
    const unknown = this.#open.at(-1)?.unknown;
    const opened = known ? -1 : (unknown?.lastIndexOf(name) ?? -1);
    // An unclosed element inside it was a value without a text.
    if (opened !== -1) unknown?.splice(opened);
    if (!known && !isValue) return;
    if (text !== '') {
      const expected = name === 'OFX' ? 'the end of the file' : 'an element';
      throw refusal(`line ${line}: expected ${expected} after </${name}>, got ${quoted(text)}`);
    }
    if (isValue) return;
    if (this.#around() !== undefined && name === this.#open.at(-2)?.name) this.#closeLeftOpen(start);
    const top = this.#open.at(-1);
    if (top?.name !== name) {
      const expected = top === undefined ? 'the end of the file' : `</${top.name}> of line ${top.line}`;
      throw refusal(`line ${line}: expected ${expected}, got </${name}>`);
    }
    this.#closeTop(end);
  }

  /** Returns the possible children of the element around an open list that may stay open. */
  #around(): readonly string[] | undefined {
    const [around, list] = this.#open.slice(-2);
    if (list === undefined || around === undefined || !MAY_STAY_OPEN.has(list.name)) return undefined;
    return OFX_ELEMENTS[around.name];
  }

  #closeLeftOpen(end: number): void {
    const list = this.#open.at(-1);
    if (list !== undefined) this.#listener.leftOpen(list.name, list.line);
    this.#closeTop(end);
  }

  #closeTop(end: number): void {
    const element = this.#open.pop();
    assert(element !== undefined, 'an element is open');
    this.#lastValue = '';
    if (!LISTED.has(element.name)) this.#open.at(-1)?.parts.set(element.name, element);
    this.#listener.closed(element, this.#open, end);
    if (this.#open.length === 0) this.#ended = true;
  }
}
