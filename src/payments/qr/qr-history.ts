import { AppError, formatInstant, type Instant } from '../../kernel';
import { LOOK_ACTOR } from '../looks/apply-look';
import { requireMerchant } from './create-qr';
import { withGatewayFaults } from '../gateway-fault';
import { paymentItemId } from '../books/item-ids';
import { lookAtQr } from './look-qr';
import { DAY_MS } from '../looks/next-channel-look';
import { openPaymentBook } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { postItem } from '../books/post-item';
import { listedQrPayments, type ListedQrPayment } from './qr-answer';
import { openQrPayments } from './qr-store';
import { requireGateway } from '../require-gateway';
import { readWholeWindow, type TimeWindow } from './whole-window';

/** Rows of one request of the history; it has no pages. */
const HISTORY_ROWS_MAX = 1_000;
/** A code may be paid so long after it was made, and was paid before (open point 80). */
const CODE_MADE_WITHIN_MS = 30 * DAY_MS;
/** Codes that one run asks about; the next run goes on with the others. */
const CODES_LOOKED_MAX = 500;
/** Codes that are asked about before it is seen what is still unknown. */
const CODES_PAGE_ROWS = 50;

/**
 * Takes in the payments by QR code that the merchant's history has of a window and that we do not know. First every code
 * of ours that could have been paid by them is looked at; what is of none of them was made elsewhere, and is a
 * customer's payment.
 *
 * @returns how many payments are new to us.
 * @throws AppError `bad_input` without a merchant, `unavailable` or `interrupted` when a code could not be asked about
 * now: running it again goes on from there.
 */
export async function readQrHistory(deps: PaymentsDeps, window: TimeWindow): Promise<number> {
  const listed = await readHistory(deps, window);
  const unknown = await unknownOf(deps, listed);
  if (unknown.length === 0) return 0;
  const left = await lookAtOwnCodes(deps, unknown);
  for (const payment of left) await takeForeign(deps, payment);
  return unknown.length;
}

async function readHistory(deps: PaymentsDeps, window: TimeWindow): Promise<readonly ListedQrPayment[]> {
  const gateway = requireGateway(deps);
  const merchantId = requireMerchant(deps.settings);
  return withGatewayFaults(async () => {
    const read = ({ from, until }: TimeWindow) =>
      gateway.qr.history({
        merchantId,
        startDate: formatInstant(from),
        endDate: formatInstant(until),
        size: HISTORY_ROWS_MAX,
      });
    const onFull = ({ from }: TimeWindow): void => {
      const fields = { event: 'payments.qr_history_full', from: formatInstant(from), rows: HISTORY_ROWS_MAX };
      deps.logger.warn('one second of the QR history has as many rows as can be asked for: there may be more', fields);
    };
    const rows = await readWholeWindow(read, window, { rowsMax: HISTORY_ROWS_MAX, onFull });
    return listedQrPayments(rows, 'qr.history');
  });
}

async function unknownOf(
  { database }: PaymentsDeps,
  listed: readonly ListedQrPayment[],
): Promise<readonly ListedQrPayment[]> {
  const ids = listed.map(({ transactionUniqueId }) => transactionUniqueId);
  const known = await database.read((session) => openQrPayments(session).find(ids));
  return listed.filter(({ transactionUniqueId }) => !known.has(transactionUniqueId));
}

/** Looks at our codes that have the amount of one of these, and gives those that are still of none of them. */
async function lookAtOwnCodes(
  deps: PaymentsDeps,
  unknown: readonly ListedQrPayment[],
): Promise<readonly ListedQrPayment[]> {
  const startedAt = deps.clock.now();
  let left = unknown;
  for (let looked = 0; left.length > 0;) {
    const codes = await codesFor(deps, left, startedAt);
    if (codes.length === 0) return left;
    if (looked >= CODES_LOOKED_MAX) {
      throw new AppError('interrupted', 'QR history: more codes could have been paid than one run asks about');
    }
    for (const trackingId of codes) await lookAtCode(deps, trackingId);
    looked += codes.length;
    left = await unknownOf(deps, left);
  }
  return left;
}

async function codesFor(
  { database }: PaymentsDeps,
  payments: readonly ListedQrPayment[],
  lookedBefore: Instant,
): Promise<readonly string[]> {
  const oldest = payments.reduce((at, { paidAt }) => Math.min(at, paidAt), Infinity);
  return database.read((session) =>
    openQrPayments(session).codesOf({
      amounts: payments.map(({ amount }) => amount),
      madeAfter: oldest - CODE_MADE_WITHIN_MS,
      lookedBefore,
      limit: CODES_PAGE_ROWS,
    }),
  );
}

async function lookAtCode(deps: PaymentsDeps, trackingId: string): Promise<void> {
  const payment = await deps.database.read((session) => openPaymentBook(session).find(trackingId));
  if (payment === undefined) return;
  const outcome = await lookAtQr(deps, payment);
  // Unasked, its payments could be taken for those of somebody else.
  if (outcome.kind === 'later') throw new AppError('unavailable', `QR history: ${outcome.reason}`);
}

/** A payment by a code that is not ours, or that was made elsewhere. */
async function takeForeign({ database, clock, settings }: PaymentsDeps, payment: ListedQrPayment): Promise<void> {
  const { transactionUniqueId, amount, paidAt: occurredAt } = payment;
  await database.transact(
    async (session) => {
      const book = openQrPayments(session);
      if ((await book.find([transactionUniqueId])).size > 0) return;
      const now = clock.now();
      const itemId = settings.isTest ? undefined : paymentItemId(transactionUniqueId);
      await book.add({ ...payment, trackingId: undefined, firstSeenAt: now, itemId });
      if (itemId === undefined) return;
      const item = { itemId, channel: 'qr', amount, agentId: undefined, refundOf: undefined, occurredAt } as const;
      await postItem(session, item, { recordedAt: now, recordedBy: LOOK_ACTOR });
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}
