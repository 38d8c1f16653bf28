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

/** What the gateway owed us through one channel before a day and after it, and what happened in between. In millimes. */
export interface ChannelDay {
  readonly channel: string;
  readonly opening: bigint;
  readonly succeeded: { readonly count: number; readonly amount: bigint };
  readonly refunded: { readonly count: number; readonly amount: bigint };
  /** Less than 0 when corrections gave back more than was charged. */
  readonly fees: bigint;
  readonly tva: bigint;
  readonly paidOut: bigint;
  /** Payouts that the bank took back, or that a person unmatched. */
  readonly returned: bigint;
  /** Positive when the gateway owes more by it. */
  readonly writtenOff: bigint;
  /** What any other posting did to it; positive when the gateway owes more by it. */
  readonly corrected: bigint;
  readonly closing: bigint;
  /** The rows of the day lead from the opening to the closing balance, to the millime. */
  readonly proven: boolean;
}

/**
 * One day of every channel through which anything moved or is owed, in the order of their names. The balances come from
 * the postings, the movements from the confirms, the items, the reports of fees and the matches: so each proves the other.
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

/** A channel through which nothing came and of which nothing is owed says nothing, unless it does not add up. */
function isWorthALine(day: ChannelDay): boolean {
  const { opening, closing, succeeded, refunded, fees, tva, paidOut, returned, writtenOff, corrected, proven } = day;
  const figures = [opening, closing, fees, tva, paidOut, returned, writtenOff, corrected];
  return !proven || [...figures, BigInt(succeeded.count + refunded.count)].some((figure) => figure !== 0n);
}
