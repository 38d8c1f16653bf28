import type { BusinessDate, Instant, Millimes } from '../kernel';
import type { ParsedLine } from './parsed-statement';
import type { StatementVerdict } from './prove-statement';

/** A bank file that was imported. */
export interface StatementFile {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly format: string;
  readonly profile: string;
  readonly importedAt: Instant;
  readonly importedBy: string;
}

/** A statement as it is kept: proven, and one link in the unbroken chain of its account. */
export interface Statement {
  readonly id: string;
  readonly fileId: string;
  readonly account: string;
  /** 1 for the first of its account. */
  readonly sequence: number;
  readonly currency: string;
  readonly verdict: StatementVerdict;
  readonly opening: Millimes;
  readonly closing: Millimes;
  readonly credits: Millimes;
  readonly debits: Millimes;
  readonly entries: number;
  /** The days from the first to the last line; undefined for a statement without lines. */
  readonly firstDate: BusinessDate | undefined;
  readonly lastDate: BusinessDate | undefined;
}

/** What was read of a line, in its place in the books. */
export interface StatementLine extends Omit<ParsedLine, 'fileLine'> {
  readonly id: string;
  readonly statementId: string;
  /** 1 for the first line of its statement. */
  readonly position: number;
  readonly account: string;
}

/** A credit that may be a payout of the gateway. */
export interface PayoutCandidate {
  readonly lineId: string;
  readonly account: string;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate | undefined;
  readonly amount: Millimes;
  readonly counterparty: string;
  readonly remittance: string;
}
