import { nextPendingCheck } from '../attempts';
import { DAY_MS, type Instant, MINUTE_MS } from '../kernel';
import { TERMINAL_STATUSES } from './subscription-status';
import type { ChargeMirror, SubscriptionMirror } from './subscriptions';

/** Counted from a planned debit: the wallet answers within seconds, and so does its webhook. */
const AFTER_CHARGE_MS = 5 * MINUTE_MS;
/** How long after its end a subscription is checked for missing fees. */
const FEES_AWAITED_MS = 10 * DAY_MS;

export interface NextCheckFacts {
  readonly subscription: Pick<
    SubscriptionMirror,
    'status' | 'sentAt' | 'requestedAt' | 'sessionEndsAt' | 'nextChargeAt' | 'canceledAt' | 'isTest'
  >;
  readonly charges: readonly Pick<ChargeMirror, 'status' | 'fee' | 'tva' | 'itemId' | 'createdAt' | 'firstSeenAt'>[];
}

/**
 * Returns when a subscription is checked next. An unpaid one is checked like any pending payment; later ones daily, and
 * soon after a planned debit or while one is in flight. After its end it is checked daily until every paid charge is
 * posted with its fee and TVA, for at most ten days. While money may not be posted yet, this limit does not apply.
 * Pure.
 *
 * @returns undefined when nothing more is expected.
 */
export function nextSubscriptionCheck({ subscription, charges }: NextCheckFacts, now: Instant): Instant | undefined {
  const { status, sentAt, requestedAt, sessionEndsAt, nextChargeAt } = subscription;
  if (status === undefined || status === 'incomplete') {
    return nextPendingCheck({ startedAt: sentAt ?? requestedAt, sessionEndsAt }, now);
  }
  if (TERMINAL_STATUSES.includes(status)) return nextAfterTheEnd({ subscription, charges }, now);
  const planned = charges
    .filter((charge) => charge.status === 'PENDING')
    .map(({ createdAt, firstSeenAt }) =>
      nextPendingCheck({ startedAt: createdAt ?? firstSeenAt, sessionEndsAt: undefined }, now),
    );
  if (nextChargeAt !== undefined) planned.push(nextChargeAt + AFTER_CHARGE_MS);
  return Math.min(now + DAY_MS, ...planned.filter((at) => at > now));
}

function nextAfterTheEnd({ subscription, charges }: NextCheckFacts, now: Instant): Instant | undefined {
  const { canceledAt, sessionEndsAt, requestedAt, isTest } = subscription;
  const paid = charges.filter(({ status }) => status === 'SUCCESS');
  if (!isTest && paid.some(({ itemId }) => itemId === undefined)) return now + DAY_MS;
  const isAwaited =
    charges.some(({ status }) => status === 'PENDING') ||
    paid.some(({ fee, tva }) => fee === undefined || tva === undefined);
  // A charge that was paid after the end has ten days of its own.
  const endedAt = Math.max(
    canceledAt ?? sessionEndsAt ?? requestedAt,
    ...paid.map(({ createdAt, firstSeenAt }) => Math.max(createdAt ?? 0, firstSeenAt)),
  );
  return isAwaited && now < endedAt + FEES_AWAITED_MS ? now + DAY_MS : undefined;
}
