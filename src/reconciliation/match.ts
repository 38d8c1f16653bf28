import { millimes, type BusinessDate, type Instant, type Millimes } from '../kernel';
import type { Channel } from '../ledger';
import type { Evidence } from '../payout-inference';

/** What one item is worth in a match. */
export interface MatchPart {
  readonly itemId: string;
  readonly channel: Channel;
  /** Negative for a refund. */
  readonly amount: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly evidence: Evidence;
}

/** The two other lines of a payout that the bank took back and that came again. */
export interface ReturnLines {
  readonly creditLineId: string;
  readonly debitLineId: string;
}

/** Two clocks, and a status check under way: an observation nearer to a cut does not contradict it. */
export const CLOCK_ERROR_MS = 120_000;

/** A credit and what it paid: `gross - fee - tva + remainder` is its amount. */
export interface PayoutMatch {
  readonly id: string;
  readonly lineId: string;
  readonly kind: 'inferred' | 'forced';
  readonly model: string | undefined;
  readonly stream: string | undefined;
  readonly evidence: Evidence;
  readonly gross: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  /** 0 unless a person forced what does not fit. */
  readonly remainder: Millimes;
  /** Bears what no item has: a fee of the payout as a whole, and the remainder. */
  readonly restChannel: Channel;
  /** The probability that it is wrong, as the engine stated it; undefined for a person's word. */
  readonly claimedError: number | undefined;
  readonly cut: { readonly after: Instant; readonly until: Instant | undefined } | undefined;
  /** By id. */
  readonly parts: readonly MatchPart[];
  readonly returned: ReturnLines | undefined;
}

export interface StoredMatch extends PayoutMatch {
  readonly runId: string | undefined;
  readonly recordedAt: Instant;
}

/** A match that the bank took back, or a person. */
export interface Unmatched {
  readonly matchId: string;
  readonly lineId: string;
  readonly kind: 'returned' | 'unmatched';
  readonly debitLineId: string | undefined;
  readonly recordedAt: Instant;
}

/** Who made a match, and when. */
export interface MatchedBy {
  readonly runId: string | undefined;
  readonly reason: string | undefined;
  readonly approvedBy: string | undefined;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/** A match to be written. */
export interface NewMatch extends PayoutMatch {
  readonly bookingDate: BusinessDate;
}

/** The credit of a match, and the two other lines when it was returned and paid again. */
export function linesOf({ lineId, returned }: PayoutMatch): string[] {
  return returned === undefined ? [lineId] : [lineId, returned.creditLineId, returned.debitLineId];
}

/** What came to the bank. */
export function amountOf({ gross, fee, tva, remainder }: PayoutMatch): Millimes {
  return millimes(gross - fee - tva + remainder);
}
