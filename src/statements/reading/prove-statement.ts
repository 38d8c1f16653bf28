import { type BusinessDate, unreachable } from '../../kernel';
import {
  addDecimals,
  type Decimal,
  decimalText,
  equalDecimals,
  negateDecimal,
  subtractDecimals,
  ZERO_DECIMAL,
} from './decimal';
import type { ParsedLine, ParsedStatement } from './parsed-statement';

export type StatementVerdict = 'ok' | 'unbalanced' | 'no-proof';

/** A contradiction inside a statement: the sum of its lines, and the amount that the bank wrote. */
export interface ProofFault {
  readonly kind: 'running_balance' | 'credits_total' | 'debits_total' | 'closing';
  /** For a running balance: the first line of the file that contradicts it. */
  readonly fileLine?: number;
  readonly computed: Decimal;
  readonly stated: Decimal;
}

/** The sums of a statement's lines. Debits as a positive number. */
export interface LineSums {
  readonly entries: number;
  readonly credits: Decimal;
  readonly debits: Decimal;
  /** The first and the last booking date; undefined without lines. */
  readonly firstDate: BusinessDate | undefined;
  readonly lastDate: BusinessDate | undefined;
}

export interface StatementProof {
  readonly verdict: StatementVerdict;
  /** Every line, including announced ones. */
  readonly all: LineSums;
  /** The lines whose money has moved. Only they are proven. */
  readonly booked: LineSums;
  /** For `unbalanced`. */
  readonly fault: ProofFault | undefined;
  /** A total of the bank that disagrees with a report or a notification. */
  readonly remark: ProofFault | undefined;
  /** For `no-proof`. */
  readonly missing: readonly ('opening' | 'closing')[];
}

/**
 * Adds up a statement line by line and then returns whether its balances prove it: opening + credits − debits =
 * closing, each running balance follows from the previous one, and the bank's own totals agree. A contradiction
 * outweighs a missing balance.
 */
export class ProofInProgress {
  readonly #all = new SumsInProgress();
  readonly #booked = new SumsInProgress();
  /** The sum since the last running balance, and that balance. */
  #moved: Decimal = ZERO_DECIMAL;
  #balance: Decimal | undefined;
  /** The first balance after a line, with the balance before the first line that follows from it. */
  #first: { readonly fileLine: number; readonly moved: Decimal; readonly stated: Decimal } | undefined;
  #fault: ProofFault | undefined;

  add({ amount, status, bookingDate, balanceAfter, fileLine }: ParsedLine): void {
    this.#all.add(amount, bookingDate);
    if (status !== 'booked') return;
    this.#booked.add(amount, bookingDate);
    this.#moved = addDecimals(this.#moved, amount);
    if (balanceAfter === undefined) return;
    if (this.#balance === undefined) this.#first = { fileLine, moved: this.#moved, stated: balanceAfter };
    else this.#compare('running_balance', addDecimals(this.#balance, this.#moved), balanceAfter, fileLine);
    this.#balance = balanceAfter;
    this.#moved = ZERO_DECIMAL;
  }

  finish({
    kind,
    opening,
    closing,
    totals,
  }: Pick<ParsedStatement, 'kind' | 'opening' | 'closing' | 'totals'>): StatementProof {
    const booked = this.#booked.sums();
    const facts = { all: this.#all.sums(), booked };
    if (opening !== undefined && this.#first !== undefined) {
      const { fileLine, moved, stated } = this.#first;
      const computed = addDecimals(opening.amount, moved);
      // It precedes every other running balance, so the fault names it instead of them.
      if (!equalDecimals(computed, stated)) this.#fault = { kind: 'running_balance', fileLine, computed, stated };
    }
    const disagreement = totalsFault(booked, totals) && totalsFault(facts.all, totals);
    // Reports and notifications may count lines that they do not list, so there it is only a remark.
    if (kind === 'statement') this.#fault ??= disagreement;
    const remark = kind === 'statement' ? undefined : disagreement;
    if (opening !== undefined && closing !== undefined) {
      const computed = subtractDecimals(addDecimals(opening.amount, booked.credits), booked.debits);
      this.#compare('closing', computed, closing.amount);
    }
    if (this.#fault !== undefined) {
      return { ...facts, verdict: 'unbalanced', fault: this.#fault, remark, missing: [] };
    }
    const missing = [
      ...(opening === undefined ? (['opening'] as const) : []),
      ...(closing === undefined ? (['closing'] as const) : []),
    ];
    return { ...facts, verdict: missing.length === 0 ? 'ok' : 'no-proof', fault: undefined, remark, missing };
  }

  #compare(kind: ProofFault['kind'], computed: Decimal, stated: Decimal, fileLine?: number): void {
    if (this.#fault !== undefined || equalDecimals(computed, stated)) return;
    this.#fault = { kind, computed, stated, ...(fileLine === undefined ? {} : { fileLine }) };
  }
}

function totalsFault({ credits, debits }: LineSums, totals: ParsedStatement['totals']): ProofFault | undefined {
  if (totals.credits !== undefined && !equalDecimals(credits, totals.credits)) {
    return { kind: 'credits_total', computed: credits, stated: totals.credits };
  }
  if (totals.debits !== undefined && !equalDecimals(debits, totals.debits)) {
    return { kind: 'debits_total', computed: debits, stated: totals.debits };
  }
  return undefined;
}

class SumsInProgress {
  #entries = 0;
  #credits = ZERO_DECIMAL;
  #debits = ZERO_DECIMAL;
  #firstDate: BusinessDate | undefined;
  #lastDate: BusinessDate | undefined;

  add(amount: Decimal, date: BusinessDate): void {
    this.#entries += 1;
    if (amount.units < 0n) this.#debits = addDecimals(this.#debits, negateDecimal(amount));
    else this.#credits = addDecimals(this.#credits, amount);
    if (this.#firstDate === undefined || date < this.#firstDate) this.#firstDate = date;
    if (this.#lastDate === undefined || date > this.#lastDate) this.#lastDate = date;
  }

  sums(): LineSums {
    return {
      entries: this.#entries,
      credits: this.#credits,
      debits: this.#debits,
      firstDate: this.#firstDate,
      lastDate: this.#lastDate,
    };
  }
}

/** Describes a disagreeing total of the bank; empty without one, or if it is a fault. */
export function describeRemark({ remark }: StatementProof, amountText = decimalText): string {
  return remark === undefined ? '' : describeFault(remark, amountText);
}

/** Describes a proof in one line for people; empty for a proven statement. */
export function describeProof({ verdict, fault, missing }: StatementProof, amountText = decimalText): string {
  switch (verdict) {
    case 'ok':
      return '';
    case 'no-proof':
      return (
        `the ${missing.join(' and the ')} balance is missing, so the statement cannot be proven` +
        // Only the closing balance is missing after an interrupted transfer.
        (missing.length === 1 && missing[0] === 'closing' ? '; the file may be truncated' : '')
      );
    case 'unbalanced':
      return fault === undefined ? '' : describeFault(fault, amountText);
    default:
      return unreachable(verdict);
  }
}

const FAULT_SUBJECT: Readonly<Record<ProofFault['kind'], string>> = {
  running_balance: 'the running balance',
  credits_total: 'the total of the credits',
  debits_total: 'the total of the debits',
  closing: 'the closing balance',
};

function describeFault(
  { kind, fileLine, computed, stated }: ProofFault,
  amountText: (amount: Decimal) => string,
): string {
  const place = fileLine === undefined ? '' : `line ${fileLine}: `;
  return (
    `${place}${FAULT_SUBJECT[kind]} should be ${amountText(computed)} and the bank says ` +
    `${amountText(stated)}: a difference of ${amountText(subtractDecimals(computed, stated))}`
  );
}
