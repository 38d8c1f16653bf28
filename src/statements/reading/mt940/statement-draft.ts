import type { BusinessDate } from '../../../kernel';
import type { ParsedStatement, StatedBalance, StatedTotals, StatementKind } from '../parsed-statement';
import type { Field } from './field-splitter';
import type { Balance } from './read-balance';
import { refuse } from './refuse';

/** Limits the memory for notes about a file with many oddities. */
const NOTES_MAX = 20;

/** The part of a statement that was read so far. */
export class StatementDraft {
  bankId = '';
  account: string | undefined;
  number = '';
  opening: StatedBalance | undefined;
  closing: StatedBalance | undefined;
  totals: StatedTotals = {};
  /** Whether its content or its envelope shows MT942. */
  interim: boolean;
  /** The day on which the bank wrote it, if it says so (13D). */
  writtenOn: BusinessDate | undefined;
  /** Whether it contains more than its header. */
  filled = false;
  readonly #fileLine: number;
  readonly #notes: string[] = [];
  #currency: { readonly code: string; readonly fileLine: number } | undefined;
  #kind: StatementKind | undefined;

  constructor(options: { readonly fileLine: number; readonly interim: boolean }) {
    this.#fileLine = options.fileLine;
    this.interim = options.interim;
  }

  /** The currency that the statement has named so far. */
  get currency(): string | undefined {
    return this.#currency?.code;
  }

  note(text: string): void {
    if (this.#notes.length < NOTES_MAX) this.#notes.push(text);
  }

  /** Returns the kind. The first line fixes it, because that line is passed on before the rest is read. */
  settleKind(): StatementKind {
    this.#kind ??= this.#seemsInterim() ? 'interim' : 'statement';
    return this.#kind;
  }

  /**
   * Sets the currency. @throws AppError `bad_input` if the statement is in another one: such balances prove nothing.
   */
  nameCurrency(field: Field, code: string): void {
    this.#currency ??= { code, fileLine: field.fileLine };
    if (this.#currency.code === code) return;
    const expected = `a balance in ${this.#currency.code} as on line ${this.#currency.fileLine}`;
    refuse({ ...field, expected, found: code });
  }

  /** Returns the balance of a :60a: or :62a:. */
  stated(field: Field, { amount, date, currency }: Balance): StatedBalance {
    this.nameCurrency(field, currency);
    this.filled = true;
    return { amount, date: this.#dayOf(field, date), intermediate: field.tag.endsWith('M') };
  }

  /** Returns the statement. @throws AppError `bad_input` for an empty statement, which probably is incomplete. */
  finished(fileLine: number): ParsedStatement {
    if (!this.filled) {
      const expected = `a balance or a line in the statement that starts on line ${this.#fileLine}`;
      refuse({ fileLine, expected, found: 'the end of the statement' });
    }
    const { account, bankId, number, opening, closing, totals, currency } = this;
    return {
      kind: this.settleKind(),
      fileLine: this.#fileLine,
      account,
      currency,
      currencies: currency === undefined ? [] : [currency],
      bankId,
      number,
      opening,
      closing,
      totals,
      // The bank names only the days of balances, and lines may be booked on other days.
      from: undefined,
      through: undefined,
      notes: this.#notes,
    };
  }

  #seemsInterim(): boolean {
    return this.interim && this.opening === undefined && this.closing === undefined;
  }

  #dayOf(field: Field, date: BusinessDate | undefined): BusinessDate | undefined {
    if (date === undefined) this.note(`line ${field.fileLine}: the date of :${field.tag}: is no day`);
    return date;
  }
}
