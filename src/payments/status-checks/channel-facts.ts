import { type BusinessDays, nextPendingCheck, SESSION_GRACE_MS } from '../../attempts';
import type { ReconBreak } from '../../breaks';
import { HOUR_MS, type Instant } from '../../kernel';
import type { ChannelDecision, ChannelFacts, FoundByStatusCheck } from '../channel';
import { type Payment, startOf } from '../payment';
import type { StatusCheckDecision } from './apply-status-check';
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

/**
 * Returns when a payment without a session is checked next: 30 s, 2, 5 and 15 minutes and an hour after its start, then
 * daily, and never after `followedUntil`. Pure.
 */
function nextChannelCheck(
  followed: { readonly startedAt: Instant; readonly followedUntil: Instant },
  now: Instant,
): Instant | undefined {
  if (now >= followed.followedUntil) return undefined;
  // Places the check after the end of a session an hour after the start.
  const sessionEndsAt = followed.startedAt + HOUR_MS - SESSION_GRACE_MS;
  return nextPendingCheck({ startedAt: followed.startedAt, sessionEndsAt }, now);
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
