import type { Session } from '../db';
import { compareBytes } from '../kernel';
import {
  addMovements,
  clearingBalances,
  type Movements,
  movementsOf,
  NO_MOVEMENTS,
  totalMovement,
} from './clearing-movements-read-model';
import { type ClearingPart, clearingParts } from './clearing-parts-read-model';
import { clearingSources } from './clearing-sources-read-model';
import type { Window } from './ledger-date';
import type { RecordedBalance } from './recorded-balances-read-model';
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
  /** Payouts that the bank returned. */
  readonly returned: bigint;
  /** Positive if the gateway then owes more. */
  readonly writtenOff: bigint;
  /** All other postings; positive if the gateway then owes more. */
  readonly corrected: bigint;
  readonly closing: bigint;
  /** The parts of the closing balance, which add up to it. */
  readonly parts: readonly ClearingPart[];
  /** The balance that the seal of the day states, and what reconciles it with `closing`; undefined for an open day. */
  readonly seal: RecordedBalance | undefined;
  /** Opening balance plus the rows of the day equals the closing balance, to the millime, and so does the seal. */
  readonly proven: boolean;
}

/**
 * Returns one day of every channel with a movement or a balance, by name. The balances come from the postings, the
 * movements from confirms, items, fee reports and matches: each proves the other. `seals` are those of a closed day.
 */
export async function channelDays(
  session: Session,
  day: Window,
  seals?: ReadonlyMap<string, RecordedBalance>,
): Promise<ChannelDay[]> {
  const closings = await clearingBalances(session, day.end);
  const postings = await movementsOf(session, day);
  const before = await movementsOf(session, { start: 0, end: day.start });
  const partsOf = await clearingParts(session, day.end);
  const { movements, payments, refunds } = await clearingSources(session, day);
  const names = [before, closings, postings, movements, seals ?? new Map<string, never>()].flatMap((each) => [
    ...each.keys(),
  ]);
  return [...new Set([...names, ...partsOf.channels])]
    .sort(compareBytes)
    .map((channel) => {
      const earlier = before.get(channel) ?? NO_MOVEMENTS;
      const opening = totalMovement(earlier);
      const closing = closings.get(channel) ?? 0n;
      const posted = postings.get(channel) ?? NO_MOVEMENTS;
      const { writtenOff, corrected } = posted;
      const seal = seals?.get(channel);
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
        parts: partsOf.parts(channel, closing, addMovements(earlier, posted)),
        seal,
        proven: opening + totalMovement(moved) === closing && (seal === undefined || dated(seal) === closing),
      };
    })
    .filter(isWorthALine);
}

/** Returns what each kind of movement added to the gateway's debt on the day. */
export function dayMovements(day: ChannelDay): Movements {
  return {
    succeeded: day.succeeded.amount,
    refunded: -day.refunded.amount,
    fees: -day.fees,
    tva: -day.tva,
    payouts: -day.paidOut,
    payoutsReturned: day.returned,
    writtenOff: day.writtenOff,
    corrected: day.corrected,
  };
}

/** Returns the balance by ledger date that follows from the balance by recording. */
function dated({ recorded, recordedLater, datedLater }: RecordedBalance): bigint {
  return recorded + recordedLater - datedLater;
}

/** Returns whether a channel has a figure, or does not add up. */
function isWorthALine(day: ChannelDay): boolean {
  const { opening, closing, succeeded, refunded, parts, seal, proven } = day;
  const balances = [opening, closing, seal?.recorded ?? 0n];
  const amounts = [...balances, ...Object.values(dayMovements(day)), ...parts.map(({ amount }) => amount)];
  return !proven || succeeded.count + refunded.count > 0 || amounts.some((amount) => amount !== 0n);
}
