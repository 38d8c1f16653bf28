import type { Session } from '../db';
import { compareBytes } from '../kernel';
import {
  clearingBalances,
  movementsOf,
  NO_MOVEMENTS,
  totalMovement,
  type Window,
} from './clearing-movements-read-model';
import { clearingSources } from './clearing-sources-read-model';
import type { Total } from './report-document';

/** The gateway's debt through one channel before and after a day, and the movements of the day. In millimes. */
export interface ChannelDay {
  readonly channel: string;
  readonly opening: bigint;
  readonly succeeded: Total;
  readonly refunded: Total;
  /** Below 0 if corrections exceed charges. */
  readonly fees: bigint;
  readonly tva: bigint;
  readonly paidOut: bigint;
  /** Payouts that the bank returned or a person unmatched. */
  readonly returned: bigint;
  /** Positive if the gateway then owes more. */
  readonly writtenOff: bigint;
  /** All other postings; positive if the gateway then owes more. */
  readonly corrected: bigint;
  readonly closing: bigint;
  /** Opening balance plus the rows of the day equals the closing balance, to the millime. */
  readonly proven: boolean;
}

/**
 * Returns one day of every channel with a movement or a balance, by name. The balances come from the postings, the
 * movements from confirms, items, fee reports and matches: each proves the other.
 */
export async function channelDays(session: Session, day: Window): Promise<ChannelDay[]> {
  const openings = await clearingBalances(session, day.start);
  const closings = await clearingBalances(session, day.end);
  const postings = await movementsOf(session, day);
  const { movements, payments, refunds } = await clearingSources(session, day);
  const names = [...new Set([...openings.keys(), ...closings.keys(), ...postings.keys(), ...movements.keys()])];
  return names
    .sort(compareBytes)
    .map((channel) => {
      const opening = openings.get(channel) ?? 0n;
      const closing = closings.get(channel) ?? 0n;
      const { writtenOff, corrected } = postings.get(channel) ?? NO_MOVEMENTS;
      const moved = { ...(movements.get(channel) ?? NO_MOVEMENTS), writtenOff, corrected };
      return {
        channel,
        opening,
        succeeded: { count: payments.get(channel) ?? 0, amount: moved.succeeded },
        refunded: { count: refunds.get(channel) ?? 0, amount: -moved.refunded },
        fees: -moved.fees,
        tva: -moved.tva,
        paidOut: -moved.payouts,
        returned: moved.payoutsReturned,
        writtenOff,
        corrected,
        closing,
        proven: opening + totalMovement(moved) === closing,
      };
    })
    .filter(isWorthALine);
}

/** Returns whether a channel has a figure, or does not add up. */
function isWorthALine(day: ChannelDay): boolean {
  const { opening, closing, succeeded, refunded, fees, tva, paidOut, returned, writtenOff, corrected, proven } = day;
  const figures = [opening, closing, fees, tva, paidOut, returned, writtenOff, corrected];
  return !proven || [...figures, BigInt(succeeded.count + refunded.count)].some((figure) => figure !== 0n);
}
