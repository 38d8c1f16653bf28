import type { BusinessDays } from '../../attempts';
import type { ReconBreak } from '../../breaks';
import type { Instant } from '../../kernel';
import type { ChannelDecision, ChannelFacts, FoundByStatusCheck } from '../channel';
import { type Payment, startOf } from '../payment';
import type { StatusCheckDecision } from './apply-status-check';
import { nextChannelCheck } from './next-channel-check';
import { statusCheckBreak } from './status-check-break';
import { type MismatchesOfCheck, syncMismatches } from './sync-mismatches';

/** The stored state with which a channel's answer is compared. */
interface StoredChannelState {
  readonly payment: Payment;
  readonly observedAt: Instant;
  /** The operation that answered. */
  readonly source: string;
  /** All mismatches of the payment so far, including resolved ones. */
  readonly known: readonly ReconBreak[];
}

/** Returns the facts on which a channel decides. Pure. */
export function channelFacts(state: StoredChannelState, days: BusinessDays): ChannelFacts {
  const { payment, observedAt } = state;
  const startedAt = startOf(payment);
  return {
    payment,
    startedAt,
    observedAt,
    calendar: days.calendar,
    workingDays: days.workingDays,
    nextCheck: (followedUntil) => nextChannelCheck({ startedAt, followedUntil }, observedAt),
    isHeld: (found) => syncMismatches(payment, comparison(state, days, found)).isHeld,
  };
}

/** Adds the day, the payment and the mismatches to a channel's decision. Pure. */
export function toStatusCheckDecision(
  state: StoredChannelState,
  days: BusinessDays,
  { change, items, breaks, growing = [], mismatches, resolve = [] }: ChannelDecision,
): StatusCheckDecision {
  const { payment, observedAt } = state;
  const since = days.calendar.dateOf(observedAt);
  const toBreak = (found: FoundByStatusCheck) => statusCheckBreak(payment, { ...found, since });
  const decision = { change, items, breaks: breaks.map(toBreak), growing: growing.map(toBreak), resolve };
  if (mismatches === undefined) return decision;
  const synced = syncMismatches(payment, comparison(state, days, mismatches));
  return {
    ...decision,
    breaks: [...synced.breaks, ...decision.breaks],
    resolve: [...synced.resolve, ...resolve],
    reopen: synced.reopen,
  };
}

function comparison(
  { observedAt, source, known }: StoredChannelState,
  { calendar }: BusinessDays,
  found: MismatchesOfCheck['found'],
): MismatchesOfCheck {
  return { source, since: calendar.dateOf(observedAt), found, known };
}
