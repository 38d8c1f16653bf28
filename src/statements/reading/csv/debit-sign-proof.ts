import { quoted } from '../../../kernel';
import { amountParts, hasValue } from '../amount-text';
import { noProposal } from './no-proposal';

/** Finds whether the amounts of a debit column have a minus: all of them, or none. */
export class DebitSignProof {
  #withMinus: string | undefined;
  #without: string | undefined;
  #negativeCredit: string | undefined;

  /** Adds a row. @throws AppError `bad_input` if only some debits have a minus. */
  see(debit: string, credit: string, place: string): void {
    if (isNegative(credit) && hasValue(credit)) {
      this.#negativeCredit ??= `${place}: expected a credit without a minus, got ${quoted(credit)}`;
    }
    if (!hasValue(debit)) return;
    if (isNegative(debit)) this.#withMinus ??= `${place}: the debit ${quoted(debit)} has a minus`;
    else this.#without ??= `${place}: the debit ${quoted(debit)} has none`;
    if (this.#withMinus !== undefined && this.#without !== undefined) {
      throw noProposal(this.#withMinus, this.#without);
    }
  }

  result(): 'none' | 'minus' {
    return this.#withMinus === undefined ? 'none' : 'minus';
  }

  /** The first credit with a minus, with its place. It takes a credit back only if the balances of the file prove it. */
  get negativeCredit(): string | undefined {
    return this.#negativeCredit;
  }
}

function isNegative(text: string): boolean {
  return amountParts(text)?.negative === true;
}
