import { accountKey, hasRightKey } from '../../../kernel';
import { amountParts, hasValue } from '../amount-text';
import { currencyOf } from '../currencies';
import { namesState } from '../state-words';
import type { ColumnKind } from './column-kinds';
import { readAmount } from './forms';

/** Where a value stands first, and the signs of the amounts beside it. */
export interface SeenValue {
  readonly line: number;
  /** The first line on which the amount beside it has a minus, or none. */
  negative?: number;
  positive?: number;
}

/** With as many values, a column says nothing by its words. */
const VALUES_MAX = 2_000;
const FEW_WORDS_MAX = 3;
const FEW_STATES_MAX = 8;
const WORD_CHARACTERS_MAX = 40;
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{10,30}$/;

/** The different values of one column below the header. */
export class SeenColumn {
  readonly name: string;
  readonly index: number;
  readonly values = new Map<string, SeenValue>();
  /** The first line without a value. */
  emptyAt: number | undefined;

  constructor(name: string, index: number) {
    this.name = name;
    this.index = index;
  }

  see(text: string, line: number, negative?: boolean): void {
    if (text === '') {
      this.emptyAt ??= line;
      return;
    }
    let seen = this.values.get(text);
    if (seen === undefined) {
      if (this.values.size >= VALUES_MAX) return;
      this.values.set(text, (seen = { line }));
    }
    if (negative === true) seen.negative ??= line;
    else if (negative === false) seen.positive ??= line;
  }

  get texts(): string[] {
    return [...this.values.keys()];
  }

  /** Whether it has few different values, as short as a word or two. */
  isFew(max = FEW_WORDS_MAX): boolean {
    return this.values.size <= max && this.texts.every((text) => text.length <= WORD_CHARACTERS_MAX);
  }

  /** Returns what its values look like. `wholeAmounts`: the amounts of the file have no decimals, so a whole number may be one. */
  kind(wholeAmounts: boolean): ColumnKind {
    const { texts } = this;
    if (texts.every((text) => readAmount(text) !== undefined && !hasValue(text))) return 'empty';
    if (texts.every((text) => currencyOf(text) !== undefined)) return 'currencies';
    if (texts.every(isAccount)) return 'accounts';
    if (this.isFew(FEW_STATES_MAX) && texts.some(namesState)) return 'states';
    if (isMoney(texts, wholeAmounts)) return 'amounts';
    return texts.length > 1 && this.isFew() ? 'words' : 'text';
  }
}

function isMoney(texts: readonly string[], wholeAmounts: boolean): boolean {
  if (!texts.every((text) => readAmount(text) !== undefined)) return false;
  const isPlain = texts.every((text) => /^\p{Nd}+$/u.test(text));
  if (!isPlain) return true;
  return wholeAmounts && !isNumbering(texts) && texts.every((text) => text.length <= 12 && !/^0\d/.test(text));
}

/** Returns whether whole numbers only number the rows. */
function isNumbering(texts: readonly string[]): boolean {
  const [first = 0, second] = texts.map(Number);
  const step = second === undefined ? 0 : second - first;
  return Math.abs(step) === 1 && texts.every((text, index) => Number(text) === first + index * step);
}

/** Returns whether a text is a RIB or an IBAN with the right check digits. */
export function isAccount(text: string): boolean {
  const key = accountKey(text).toUpperCase();
  if (hasRightKey(key)) return true;
  if (!IBAN.test(key)) return false;
  const digits = `${key.slice(4)}${key.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** How the amounts of a column show their sides. */
export class AmountMarks {
  /** The first amount with a minus or a word for a debit, with a plus or a word for a credit, and with neither. */
  debit: { readonly line: number; readonly text: string } | undefined;
  credit: typeof this.debit;
  bare: typeof this.debit;

  see(text: string, line: number): boolean | undefined {
    const { signed, negative } = amountParts(text) ?? {};
    if (signed === undefined || !hasValue(text)) return undefined;
    if (negative === true) this.debit ??= { line, text };
    else if (signed) this.credit ??= { line, text };
    else this.bare ??= { line, text };
    return negative;
  }
}
