import type { Decoded } from '../db';
import type { BusinessDate, Instant, Millimes } from '../kernel';
import type { ACCEPTANCE, EXCLUSION, FILE, HELD_STATEMENT, LINE, MOVEMENT, PENDING } from './statement-rows';

/** A bank file that was imported. */
export type StatementFile = Decoded<typeof FILE>;

/**
 * - `loading`: its rows are invisible.
 * - `imported`: all rows are stored, but the ledger lacks some lines.
 * - `posted`: the ledger has every effective line.
 */
export type LoadState = 'loading' | 'imported' | 'posted';

/** A stored statement. Amounts are integers of the currency's smallest unit: millimes for TND. */
export type Statement = Decoded<typeof HELD_STATEMENT>;

export type Acceptance = Decoded<typeof ACCEPTANCE>;

export type Exclusion = Decoded<typeof EXCLUSION>;

/** A statement with the facts for people. */
export interface ListedStatement {
  readonly statement: Statement;
  readonly file: StatementFile;
  readonly acceptance: Acceptance | undefined;
  readonly exclusion: Exclusion | undefined;
  /** Whether a person must accept or exclude it. Until then its lines are not posted. */
  readonly isWaiting: boolean;
  /** The number of its lines that another statement brought first. */
  readonly knownEntries: number;
}

/** The stored facts of a movement, booked or announced. */
export type Movement = Decoded<typeof MOVEMENT>;

/** One booked movement. */
export type StatementLine = Decoded<typeof LINE>;

/** A line on a statement: its own, or one that another statement brought first. */
export interface LineOnStatement {
  readonly line: StatementLine;
  /** Its position on this statement. */
  readonly position: number;
  readonly known: boolean;
}

/** A movement that is announced but not booked. It is stored apart from the lines and never posted. */
export type PendingEntry = Decoded<typeof PENDING>;

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
