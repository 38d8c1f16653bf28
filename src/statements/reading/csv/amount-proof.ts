import { quoted } from '../../../kernel';
import { type AmountFormat, amountParts, parseAmountText } from '../amount-text';
import { formatDecimal } from '../currencies';
import { equalDecimals } from '../decimal';
import { noProposal } from './no-proposal';

const SPACES = [' ', '\u00a0', '\u202f'];
const SPACES_AND_MARKS = [...SPACES, "'", '\u2019'];
const COMMA: AmountFormat = { decimalSign: ',', thousandsSeparators: [...SPACES_AND_MARKS, '.'] };
const POINT: AmountFormat = { decimalSign: '.', thousandsSeparators: [...SPACES_AND_MARKS, ','] };

export interface ProvenAmounts {
  readonly decimalSign: ',' | '.';
  /** The separators that occur in some amount, and spaces, which the next file of the bank may have. */
  readonly thousandsSeparators: readonly string[];
  /** Whether an amount shows which sign it is. Otherwise no amount has decimals. */
  readonly shown: boolean;
}

/** Finds the decimal sign that fits every amount. */
export class AmountProof {
  #comma = true;
  #point = true;
  readonly #separators = new Set<string>();
  readonly #currencies = new Set<string>();
  /** The first amount that gives two different numbers with the two signs. */
  #doubt: string | undefined;

  /** Adds an amount. @throws AppError `bad_input` if no decimal sign fits this amount and all earlier ones. */
  see(text: string, place: string): void {
    if (text === '') return;
    const comma = parseAmountText(text, COMMA);
    const point = parseAmountText(text, POINT);
    const fitsComma = this.#comma && comma.ok;
    const fitsPoint = this.#point && point.ok;
    if (!fitsComma && !fitsPoint) throw noProposal(`${place}: expected an amount${this.#like()}, got ${quoted(text)}`);
    this.#comma = fitsComma;
    this.#point = fitsPoint;
    const { digits = '', currency } = amountParts(text) ?? {};
    if (currency !== undefined) this.#currencies.add(currency);
    if (/^\d+$/.test(digits)) return;
    for (const character of digits) if (!/\d/.test(character)) this.#separators.add(character);
    if (comma.ok && point.ok && !equalDecimals(comma.amount, point.amount)) {
      this.#doubt ??= `${place}: ${quoted(text)} may be ${formatDecimal(comma.amount, undefined)} or ${formatDecimal(point.amount, undefined)}`;
    }
  }

  /** The currencies that stand beside amounts. */
  get currencies(): ReadonlySet<string> {
    return this.#currencies;
  }

  /** Returns the decimal sign. @throws AppError `bad_input` if both fit and give different amounts. */
  result(preferred: ',' | '.'): ProvenAmounts {
    const both = this.#comma && this.#point;
    if (both && this.#doubt !== undefined) throw noProposal(`${this.#doubt}; set decimalSign in a profile`);
    const decimalSign = both ? preferred : this.#comma ? ',' : '.';
    const thousandsSeparators = [...new Set([...this.#separators, ...SPACES])].filter(
      (character) => character !== decimalSign,
    );
    return { decimalSign, thousandsSeparators, shown: !both };
  }

  #like(): string {
    if (this.#comma && this.#point) return '';
    return ` with the decimal sign ${this.#comma ? ',' : '.'}, like those above`;
  }
}
