import { type BusinessDate, type Instant, type Millimes, millimes } from '../kernel';
import type { Channel } from '../ledger';
import type { Evidence } from '../payout-inference';

export const MATCH_KINDS = ['inferred', 'forced'] as const;
export const UNMATCH_KINDS = ['returned', 'unmatched'] as const;

/** The amount and the fees of one item in a match. */
export interface MatchPart {
  readonly itemId: string;
  readonly channel: Channel;
  /** Negative for a refund. */
  readonly amount: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly evidence: Evidence;
}

/** The two other lines of a payout that the bank returned and the gateway paid again. */
export interface ReturnLines {
  readonly creditLineId: string;
  readonly debitLineId: string;
}

/**
 * The tolerance for two clocks and the duration of a status check. An observation nearer to a cut does not contradict
 * it.
 */
export const CLOCK_ERROR_MS = 120_000;

/** A credit and the items it paid: `gross - fee - tva + remainder` is its amount. */
export interface PayoutMatch {
  readonly id: string;
  readonly lineId: string;
  readonly kind: (typeof MATCH_KINDS)[number];
  readonly model: string | undefined;
  readonly stream: string | undefined;
  readonly evidence: Evidence;
  readonly gross: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  /** 0 unless two people forced a match whose amounts differ. */
  readonly remainder: Millimes;
  /** The channel of the fee on the payout as a whole, and of the remainder. */
  readonly restChannel: Channel;
  /** The claimed error of the inference; undefined for a match by a person. */
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

/** A match that a returned payout or a person reversed. */
export interface Unmatched {
  readonly matchId: string;
  readonly lineId: string;
  readonly kind: (typeof UNMATCH_KINDS)[number];
  readonly debitLineId: string | undefined;
  readonly recordedAt: Instant;
}

/** Who wrote a match, and why: a run, or a person and if it was forced a second one. */
export type WrittenBy = MatchedBy;

/** A reversed match as people read it. */
export interface Reversed extends Pick<Unmatched, 'matchId' | 'kind' | 'recordedAt'> {
  readonly reason: string;
  readonly recordedBy: string;
}

/** The actor and the time of a match. */
export interface MatchedBy {
  readonly runId: string | undefined;
  readonly reason: string | undefined;
  readonly approvedBy: string | undefined;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/** A match to write. */
export interface NewMatch extends PayoutMatch {
  readonly bookingDate: BusinessDate;
}

/** Returns the credit of a match, and the two other lines if it was returned and paid again. */
export function linesOf({ lineId, returned }: PayoutMatch): string[] {
  return returned === undefined ? [lineId] : [lineId, returned.creditLineId, returned.debitLineId];
}

/** Returns the amount that the bank received. */
export function amountOf({ gross, fee, tva, remainder }: PayoutMatch): Millimes {
  return millimes(gross - fee - tva + remainder);
}
