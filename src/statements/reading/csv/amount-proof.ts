import { AppError, quoted } from '../../../kernel';
import { type AmountFormat, amountParts, parseAmountText } from '../amount-text';
import { formatDecimal } from '../currencies';
import { type Decimal, equalDecimals } from '../decimal';
import type { FormChoice } from './form-choice';
import { noProposal } from './no-proposal';

const SPACES = [' ', '\u00a0', '\u202f'];
const SPACES_AND_MARKS = [...SPACES, "'", '\u2019'];
const COMMA: AmountFormat = { decimalSign: ',', thousandsSeparators: [...SPACES_AND_MARKS, '.'] };
const POINT: AmountFormat = { decimalSign: '.', thousandsSeparators: [...SPACES_AND_MARKS, ','] };

export interface ProvenAmounts {
  readonly decimalSign: ',' | '.';
  /** The separators that occur in some amount, and spaces, which the next file of the bank may have. */
  readonly thousandsSeparators: readonly string[];
  readonly reason: string;
  /** Set if both signs fit every amount, and give different numbers. */
  readonly choice: FormChoice | undefined;
}

interface TwoNumbers {
  readonly text: string;
  readonly place: string;
  readonly comma: Decimal;
  readonly point: Decimal;
}

/** Finds the decimal sign that fits every amount. */
export class AmountProof {
  #comma = true;
  #point = true;
  readonly #separators = new Set<string>();
  readonly #currencies = new Set<string>();
  /** The first amount that gives two different numbers with the two signs. */
  #doubt: TwoNumbers | undefined;
  /** The first amount that only one sign fits. */
  #shownBy: string | undefined;

  /** Adds an amount. @throws AppError `bad_input` if no decimal sign fits this amount and all earlier ones. */
  see(text: string, place: string): void {
    if (text === '') return;
    const comma = parseAmountText(text, COMMA);
    const point = parseAmountText(text, POINT);
    const fitsComma = this.#comma && comma.ok;
    const fitsPoint = this.#point && point.ok;
    if (!fitsComma && !fitsPoint) throw noProposal(`${place}: expected ${this.#wanted()}, got ${quoted(text)}`);
    this.#comma = fitsComma;
    this.#point = fitsPoint;
    if (fitsComma !== fitsPoint) this.#shownBy ??= text;
    const { digits = '', currency } = amountParts(text) ?? {};
    if (currency !== undefined) this.#currencies.add(currency);
    if (/^\d+$/.test(digits)) return;
    for (const character of digits) if (!/\d/.test(character)) this.#separators.add(character);
    if (comma.ok && point.ok && !equalDecimals(comma.amount, point.amount)) {
      this.#doubt ??= { text, place, comma: comma.amount, point: point.amount };
    }
  }

  /** The currencies that stand beside amounts. */
  get currencies(): ReadonlySet<string> {
    return this.#currencies;
  }

  /**
   * Returns the decimal sign. If both fit, it is the one that a person gave, otherwise `preferred`.
   * @throws AppError `bad_input` if the given sign does not fit every amount.
   */
  result(preferred: ',' | '.', given: ',' | '.' | undefined, currency: string | undefined): ProvenAmounts {
    const both = this.#comma && this.#point;
    const decimalSign = both ? (given ?? preferred) : this.#comma ? ',' : '.';
    if (given !== undefined && given !== decimalSign) {
      throw new AppError('bad_input', {
        field: 'decimalSign',
        expected: `${quoted(decimalSign)}, because the file has the amount ${quoted(this.#shownBy ?? '')}`,
        got: given,
        fix: 'import the file without it',
      });
    }
    const separators = [...new Set([...this.#separators, ...SPACES])];
    const choice = both ? this.#choice(given === undefined, currency) : undefined;
    return {
      decimalSign,
      thousandsSeparators: separators.filter((character) => character !== decimalSign),
      reason: both ? reasonOf(given, choice) : `every amount fits the decimal sign ${decimalSign}`,
      choice,
    };
  }

  #choice(isOpen: boolean, currency: string | undefined): FormChoice | undefined {
    if (this.#doubt === undefined) return undefined;
    const { text, place, comma, point } = this.#doubt;
    const readings = [
      { value: ',', meaning: formatDecimal(comma, currency) },
      { value: '.', meaning: formatDecimal(point, currency) },
    ];
    return { field: 'decimalSign', isOpen, text, place, readings };
  }

  #wanted(): string {
    if (this.#comma && this.#point) return 'an amount';
    return `an amount with the decimal sign ${this.#comma ? ',' : '.'}, like those above`;
  }
}

function reasonOf(given: string | undefined, choice: FormChoice | undefined): string {
  if (given !== undefined) return `the decimal sign ${given} is given`;
  return choice === undefined ? 'no amount has decimals' : 'every amount fits both decimal signs';
}
