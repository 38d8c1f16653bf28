import type { BusinessDate } from '../../kernel';
import type { Decimal } from './decimal';

/**
 * The result of a reader, in any format. A file is read as a stream: its lines come one by one, and a statement's own
 * facts follow its last line, because some banks write them there.
 */
export type StatementEvent =
  | { readonly kind: 'line'; readonly line: ParsedLine }
  /** Ends a statement: every line since the last such event is one of its lines. */
  | { readonly kind: 'statement'; readonly statement: ParsedStatement };

/** Reads one file, piece by piece. It refuses unreadable input with an AppError `bad_input` that names the place. */
export interface StatementReader {
  /** Reads the next bytes of the file and returns the completed events. */
  push(bytes: Buffer): readonly StatementEvent[];
  /** Ends the file: returns the remaining events, and refuses an incomplete file. */
  end(): readonly StatementEvent[];
}

/** `statement`: booked lines. `interim`: MT942, camt.052. `notification`: camt.054, booked lines without balances. */
export type StatementKind = 'statement' | 'interim' | 'notification';

/** A statement or one page of it. */
export interface ParsedStatement {
  readonly kind: StatementKind;
  /** The line of the file on which it starts; the first is 1. */
  readonly fileLine: number;
  /** As the bank writes it; undefined if the file does not name it. */
  readonly account: string | undefined;
  /** ISO 4217; undefined if the file names none, or several. */
  readonly currency: string | undefined;
  /** Every currency that its balances and lines name. */
  readonly currencies: readonly string[];
  /** The bank's own id of the statement; empty without one. */
  readonly bankId: string;
  /** The bank's statement number, with the page if it has one: `5/1`, `12312`; empty without one. */
  readonly number: string;
  /** Undefined if the file does not state it: then nothing can be proven. */
  readonly opening: StatedBalance | undefined;
  readonly closing: StatedBalance | undefined;
  /** The sums of the lines that the bank states, if it does. Debits as a positive number. */
  readonly totals: StatedTotals;
  /** The covered days, if the bank states them. */
  readonly from: BusinessDate | undefined;
  readonly through: BusinessDate | undefined;
  /** Notes for people about how it was read, such as a value date of 30 February. */
  readonly notes: readonly string[];
}

export interface StatedBalance {
  readonly amount: Decimal;
  readonly date: BusinessDate | undefined;
  /**
   * Whether it is a page's balance (60M, 62M, camt ITBD or a page that is not the last): the statement continues on
   * another page.
   */
  readonly intermediate: boolean;
}

export interface StatedTotals {
  readonly credits?: Decimal | undefined;
  readonly debits?: Decimal | undefined;
  readonly creditEntries?: number | undefined;
  readonly debitEntries?: number | undefined;
}

/** `booked`: the money has moved. `pending` and `information`: it has not, and may never move. */
export type LineStatus = 'booked' | 'pending' | 'information';

export interface ParsedLine {
  readonly status: LineStatus;
  /** Where it starts in the file; the first line of the file is 1. */
  readonly fileLine: number;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate | undefined;
  /** Positive: credit. */
  readonly amount: Decimal;
  /** The currency that the line names; otherwise the statement's counts. */
  readonly currency: string | undefined;
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  readonly remittance: string;
  /** The bank's own reference of this booking; empty without one, or if it is only a word such as NONREF. */
  readonly bankReference: string;
  readonly endToEndId: string;
  /** The bank's word for the kind of booking: `NTRF`, `PMNT/RCDT/ESCT`, `CREDIT`. */
  readonly transactionCode: string;
  /** The transactions inside a batch, if the bank lists them. */
  readonly details: readonly LineDetail[];
  readonly balanceAfter: Decimal | undefined;
  /** According to the profile's pattern; undefined if no profile was used. */
  readonly payoutCandidate: boolean | undefined;
  /** The line as written in the file, decoded and otherwise unchanged. */
  readonly raw: string;
}

export interface LineDetail {
  /** Positive: credit. Undefined if the bank does not state it. */
  readonly amount: Decimal | undefined;
  readonly currency: string | undefined;
  readonly endToEndId: string;
  readonly bankReference: string;
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  readonly remittance: string;
}
