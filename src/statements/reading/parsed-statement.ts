import type { BusinessDate } from '../../kernel';
import type { Decimal } from './decimal';

/**
 * What a reader makes of a bank file, whatever its format. A file is read as a stream: its lines come one by one, and a
 * statement's own facts come after its last line, since some banks write them there.
 */
export type StatementEvent =
  | { readonly kind: 'line'; readonly line: ParsedLine }
  /** Ends a statement: every line since the last such event is one of its lines. */
  | { readonly kind: 'statement'; readonly statement: ParsedStatement };

/** Reads one file, piece by piece. What it cannot read it refuses with an AppError `bad_input` that names the place. */
export interface StatementReader {
  /** Takes the next bytes of the file and gives what they complete. */
  push(bytes: Buffer): readonly StatementEvent[];
  /** The file has ended: gives the rest, and refuses a file that stops in the middle. */
  end(): readonly StatementEvent[];
}

/** statement: booked lines. interim: MT942, camt.052. notification: camt.054, booked lines without balances. */
export type StatementKind = 'statement' | 'interim' | 'notification';

/** A statement or one page of it. */
export interface ParsedStatement {
  readonly kind: StatementKind;
  /** The line of the file on which it starts; the first is 1. */
  readonly fileLine: number;
  /** As the bank writes it. Undefined when the file does not say it. */
  readonly account: string | undefined;
  /** ISO 4217. Undefined when the file names none, or several. */
  readonly currency: string | undefined;
  /** Every currency that its balances and lines name. */
  readonly currencies: readonly string[];
  /** The bank's own id of the statement; empty when there is none. */
  readonly bankId: string;
  /** The bank's statement number, with the page where it writes one: `5/1`, `12312`; empty when there is none. */
  readonly number: string;
  /** Undefined when the file does not say it: then nothing can be proven. */
  readonly opening: StatedBalance | undefined;
  readonly closing: StatedBalance | undefined;
  /** What the bank says the lines add up to, where it does. Debits as a positive number. */
  readonly totals: StatedTotals;
  /** The days that it covers, where the bank says them. */
  readonly from: BusinessDate | undefined;
  readonly through: BusinessDate | undefined;
  /** What a person should know of how it was read, such as a value date of 30 February. */
  readonly notes: readonly string[];
}

export interface StatedBalance {
  readonly amount: Decimal;
  readonly date: BusinessDate | undefined;
  /** A page's balance (60M, 62M, camt ITBD or a page that is not the last): the statement goes on on another page. */
  readonly intermediate: boolean;
}

export interface StatedTotals {
  readonly credits?: Decimal | undefined;
  readonly debits?: Decimal | undefined;
  readonly creditEntries?: number | undefined;
  readonly debitEntries?: number | undefined;
}

/** booked: the money has moved. pending and information: it has not, and may never. */
export type LineStatus = 'booked' | 'pending' | 'information';

export interface ParsedLine {
  readonly status: LineStatus;
  /** Where it starts in the file; the first line of the file is 1. */
  readonly fileLine: number;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate | undefined;
  /** Positive: credit. */
  readonly amount: Decimal;
  /** Where the line itself names it; else it is the statement's. */
  readonly currency: string | undefined;
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  readonly remittance: string;
  /** The bank's own reference of this booking; empty when there is none, or only a word such as NONREF. */
  readonly bankReference: string;
  readonly endToEndId: string;
  /** The bank's word for the kind of booking: `NTRF`, `PMNT/RCDT/ESCT`, `CREDIT`. */
  readonly transactionCode: string;
  /** The transactions inside a batch, where the bank lists them. */
  readonly details: readonly LineDetail[];
  readonly balanceAfter: Decimal | undefined;
  /** By the profile's pattern; undefined where no profile was asked. */
  readonly payoutCandidate: boolean | undefined;
  /** The line as the file has it, decoded and otherwise untouched. */
  readonly raw: string;
}

export interface LineDetail {
  /** Positive: credit. Undefined where the bank does not say it. */
  readonly amount: Decimal | undefined;
  readonly currency: string | undefined;
  readonly endToEndId: string;
  readonly bankReference: string;
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  readonly remittance: string;
}
