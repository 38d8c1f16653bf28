import type { Instant } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentBook } from '../payment-store';
import type { PaymentsDeps } from '../payments';

/** One hint names no payment, so it is about all open ones; more than these wait for their turn. */
const HINTED_MAX = 200;
/** Who was looked at just now is left alone: anybody could send hints all day. */
const HINT_SPACING_MS = 30_000;
/** Later than every look that is planned. */
const ALWAYS: Instant = Number.MAX_SAFE_INTEGER;
/** Codes of POS after which nothing is awaited but settlement (interface 3.4). */
const POS_ENDED: ReadonlySet<string> = new Set(['PS', 'PF', 'PR']);

/**
 * Plans a look at once at every open payment of a kind. The hint is unsigned, so it changes nothing else; it is as likely
 * forged as not. Gives how many looks were planned.
 */
export async function hintPayments(
  { database, clock }: PaymentsDeps,
  kind: 'pos' | 'wallet',
  receivedAt: Instant,
): Promise<number> {
  const now = clock.now();
  return database.transact(
    async (session) => {
      const book = openPaymentBook(session);
      const followed = await book.dueToLook(ALWAYS, [kind], HINTED_MAX);
      const hinted = followed.filter((payment) => isWorthLooking(payment, now));
      for (const payment of hinted) await book.change(payment, { nextLookAt: now, nudgedAt: receivedAt });
      return hinted.length;
    },
    { retryUnknownOutcome: true },
  );
}

function isWorthLooking({ status, lastLookAt }: Payment, now: Instant): boolean {
  const isEnded = status !== undefined && POS_ENDED.has(status);
  return !isEnded && (lastLookAt === undefined || now - lastLookAt >= HINT_SPACING_MS);
}
