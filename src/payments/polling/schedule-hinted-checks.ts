import { HOUR_MS, type Instant, SECOND_MS } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { lastCheckOf } from '../status-checks/last-check';

/**
 * A hint names no payment, so it may concern any that can still change. Payments beyond this number wait for a later
 * hint.
 */
const HINTED_MAX = 200;
/** The payments of a hint are chosen among this number of followed ones, those due soonest. */
const FOLLOWED_MAX = 500;
/** A payment that was just checked waits, because any caller could send hints all day. */
const HINT_SPACING_MS = 30 * SECOND_MS;
/** Every sale at a terminal sends a hint, and few concern a refund, so posted payments are not checked each time. */
const BOOKED_HINTED_MAX = 20;
const BOOKED_SPACING_MS = HOUR_MS;
/** Later than every planned status check. */
const ALWAYS: Instant = Number.MAX_SAFE_INTEGER;
/**
 * POS codes after which nothing more is expected (interface section 3.4). A successful payment may still be refunded at
 * the terminal.
 */
const POS_ENDED: ReadonlySet<string> = new Set(['PF', 'PR']);

/**
 * Plans a status check of every payment of a kind that may still change, for now or when the spacing allows it. The
 * hint is unsigned and may be forged, so it changes nothing else. Returns the number of planned status checks.
 */
export async function scheduleHintedChecks(
  { database, clock }: PaymentsDeps,
  kind: 'pos' | 'wallet',
  receivedAt: Instant,
): Promise<number> {
  const now = clock.now();
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const hinted = chooseHinted(await store.dueForCheck(ALWAYS, [kind], FOLLOWED_MAX), now);
      for (const payment of hinted) await store.change(payment, hintedCheck(payment, { now, receivedAt }));
      return hinted.length;
    },
    { retryUnknownOutcome: true },
  );
}

/** Chooses payments: unposted ones first, then those not checked for the longest, so that each gets its turn. Pure. */
function chooseHinted(candidates: readonly Payment[], now: Instant): readonly Payment[] {
  const open = candidates.filter(({ status }) => status === undefined || !POS_ENDED.has(status));
  const awaited = open.filter(({ itemId }) => itemId === undefined);
  const rested = open.filter((payment) => payment.itemId !== undefined && isRested(payment, now));
  const oldestFirst = rested.toSorted((one, other) => (one.lastCheckAt ?? 0) - (other.lastCheckAt ?? 0));
  return [...awaited.slice(0, HINTED_MAX), ...oldestFirst.slice(0, BOOKED_HINTED_MAX)];
}

function isRested(payment: Payment, now: Instant): boolean {
  const lastCheckAt = lastCheckOf(payment, now);
  return lastCheckAt === undefined || lastCheckAt + BOOKED_SPACING_MS <= now;
}

/** Plans the status check, unless one is planned for an earlier time. Pure. */
function hintedCheck(
  payment: Payment,
  { now, receivedAt }: { readonly now: Instant; readonly receivedAt: Instant },
): PaymentChange {
  const { nextCheckAt, triggeredAt } = payment;
  const lastCheckAt = lastCheckOf(payment, now);
  const at = lastCheckAt === undefined ? now : Math.max(now, lastCheckAt + HINT_SPACING_MS);
  return {
    nextCheckAt: nextCheckAt === undefined ? at : Math.min(nextCheckAt, at),
    triggeredAt: triggeredAt === undefined ? receivedAt : Math.max(triggeredAt, receivedAt),
  };
}
