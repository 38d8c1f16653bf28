import type { BusinessDate, Instant, Millimes } from '../kernel';
import type { LineStatus, StatementKind } from './reading/parsed-statement';
import type { StatementVerdict } from './reading/prove-statement';

/** A bank file that was imported. */
export interface StatementFile {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly format: string;
  /** Empty if the format needs none. */
  readonly profile: string;
  readonly importedAt: Instant;
  readonly importedBy: string;
}

/**
 * - `loading`: its rows are invisible.
 * - `imported`: all rows are stored, but the ledger lacks some lines.
 * - `posted`: the ledger has every effective line.
 */
export type LoadState = 'loading' | 'imported' | 'posted';

/** `overlap`: another proven statement has other lines on its days. */
export type StatementHold = 'overlap';

/** A stored statement. Amounts are integers of the currency's smallest unit: millimes for TND. */
export interface Statement {
  readonly id: string;
  readonly fileId: string;
  /** Its position in the file, from 1. */
  readonly position: number;
  readonly kind: StatementKind;
  readonly account: string;
  readonly currency: string;
  readonly bankId: string;
  readonly number: string;
  readonly verdict: StatementVerdict;
  readonly hold: StatementHold | undefined;
  readonly openingMinor: number | undefined;
  readonly closingMinor: number | undefined;
  /** Of the booked lines. */
  readonly creditsMinor: number;
  readonly debitsMinor: number;
  readonly entries: number;
  /** The number of announced lines. */
  readonly pendingEntries: number;
  /** The days that it covers according to the bank. */
  readonly from: BusinessDate | undefined;
  readonly through: BusinessDate | undefined;
  /** The days from the first to the last booked line; undefined for a statement without lines. */
  readonly firstDate: BusinessDate | undefined;
  readonly lastDate: BusinessDate | undefined;
  /** Equal for the same statement in another file. */
  readonly fingerprint: string;
  readonly notes: readonly string[];
}

export interface Acceptance {
  readonly statementId: string;
  readonly acceptedAt: Instant;
  readonly acceptedBy: string;
  readonly reason: string;
}

/** A statement with the facts for people. */
export interface ListedStatement {
  readonly statement: Statement;
  readonly file: StatementFile;
  readonly acceptance: Acceptance | undefined;
  /** The number of its lines that another statement brought first. */
  readonly knownEntries: number;
}

/** A transaction inside a batch line. Empty texts are omitted. */
export interface StoredDetail {
  /** Decimal text; positive: credit. */
  readonly amount?: string;
  readonly currency?: string;
  readonly endToEndId?: string;
  readonly bankReference?: string;
  readonly counterparty?: string;
  readonly counterpartyAccount?: string;
  readonly remittance?: string;
}

/** The stored facts of a movement, booked or announced. */
export interface Movement {
  readonly id: string;
  readonly statementId: string;
  /** 1 for the first of its statement. */
  readonly position: number;
  readonly account: string;
  readonly currency: string;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate | undefined;
  /** Positive: credit. */
  readonly amountMinor: number;
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  readonly remittance: string;
  readonly bankReference: string;
  readonly endToEndId: string;
  readonly raw: string;
}

/** One booked movement. */
export interface StatementLine extends Movement {
  /** The line of its file on which it starts. */
  readonly fileLine: number | undefined;
  readonly transactionCode: string;
  readonly details: readonly StoredDetail[];
  readonly payoutCandidate: boolean;
  readonly balanceAfterMinor: number | undefined;
  readonly identity: string;
}

/** A line on a statement: its own, or one that another statement brought first. */
export interface LineOnStatement {
  readonly line: StatementLine;
  /** Its position on this statement. */
  readonly position: number;
  readonly known: boolean;
}

/** A movement that is announced but not booked. It is stored apart from the lines and never posted. */
export interface PendingEntry extends Movement {
  /** `interim`: on an interim report, whatever the bank calls it there. */
  readonly status: Exclude<LineStatus, 'booked'> | 'interim';
}

/** The only currency of the ledger. */
export const POSTED_CURRENCY = 'TND';

/** A credit that may be a payout of the gateway, or a debit that may be the return of one. */
export interface PayoutCandidate {
  readonly lineId: string;
  readonly account: string;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate | undefined;
  readonly amount: Millimes;
  readonly counterparty: string;
  readonly remittance: string;
  /** When the file that brought it was imported. */
  readonly importedAt: Instant;
}
