import { quoted } from '../../../kernel';
import { noProposal } from './no-proposal';

const MINUS = /^[-\u2212]/u;
const HAS_VALUE = /[1-9]/;

/** Finds whether the amounts of a debit column have a minus: all of them, or none. */
export class DebitSignProof {
  #withMinus: string | undefined;
  #without: string | undefined;

  /** Adds a row. @throws AppError `bad_input` if a credit has a minus, or only some debits have one. */
  see(debit: string, credit: string, place: string): void {
    if (MINUS.test(credit) && HAS_VALUE.test(credit)) {
      throw noProposal(`${place}: expected a credit without a minus, got ${quoted(credit)}`);
    }
    if (!HAS_VALUE.test(debit)) return;
    if (MINUS.test(debit)) this.#withMinus ??= `${place}: the debit ${quoted(debit)} has a minus`;
    else this.#without ??= `${place}: the debit ${quoted(debit)} has none`;
    if (this.#withMinus !== undefined && this.#without !== undefined) {
      throw noProposal(this.#withMinus, this.#without);
    }
  }

  result(): 'none' | 'minus' {
    return this.#withMinus === undefined ? 'none' : 'minus';
  }
}
