import type { Instant } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { lastCheckOf } from '../status-checks/last-check';

/** One hint names no payment, so it is about all that may change; more than these wait for a later hint. */
const HINTED_MAX = 200;
/** Of how many that are checked anyway those are chosen, which are to be checked soonest. */
const FOLLOWED_MAX = 500;
/** Who was checked just now has to wait: any caller could send hints all day. */
const HINT_SPACING_MS = 30_000;
/**
 * Every sale at a terminal sends a hint, and hardly one is of a refund: what is booked must not be asked for each time.
 */
const BOOKED_HINTED_MAX = 20;
const BOOKED_SPACING_MS = 60 * 60 * 1_000;
/** Later than every status check that is planned. */
const ALWAYS: Instant = Number.MAX_SAFE_INTEGER;
/**
 * Codes of POS after which nothing is awaited (interface 3.4). What succeeded may still be refunded at the terminal.
 */
const POS_ENDED: ReadonlySet<string> = new Set(['PF', 'PR']);

/**
 * Plans a status check of every payment of a kind that may still change: at once, or when the spacing allows it. The
 * hint is unsigned, so it changes nothing else; it is as likely forged as not. Gives how many status checks were
 * planned.
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

/** What is not booked comes first, then what was not checked for the longest, so that all have their turn. Pure. */
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

/** A status check that is planned for sooner stays where it is. Pure. */
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
