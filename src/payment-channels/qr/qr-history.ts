import { requireGateway, STATUS_CHECK_ACTOR, withGatewayFaults } from '../../attempts';
import { paymentItemId, postItem } from '../../gateway-items';
import { AppError, formatInstant, type Instant } from '../../kernel';
import type { PaymentsDeps } from '../../payments';
import { type CandidateCode, candidateCodesOf, inCheckOrder, openCodesOf, tellsFrom } from './candidate-codes';
import { checkOwnCodes, unknownOf } from './check-own-codes';
import { requireMerchant } from './create-qr';
import { type ListedQrPayment, listedQrPayments } from './qr-answer';
import { openQrPayments } from './qr-store';
import { splitFullWindows, type TimeWindow } from './split-full-windows';

/** The rows of one history request; it has no pages. */
const HISTORY_ROWS_MAX = 1_000;
/** The number of codes that one run checks; the next run continues with the others. */
const CODES_CHECKED_MAX = 500;

/**
 * Imports the unknown QR payments that the merchant's history lists for a window. First it checks every code of Millime
 * that these may have paid. Each payment is decided separately: once all its possible codes were checked late enough,
 * by any run or status check, and none has it, it was made elsewhere and is a customer's.
 *
 * @returns the number of imported payments. A recent one that belongs to no code so far waits for a later run.
 * @throws AppError `bad_input` without a merchant; `unavailable` or `interrupted`, after everything else is imported,
 * when payments wait for a code that could not be checked now: running it again continues from there.
 */
export async function readQrHistory(
  deps: PaymentsDeps,
  window: TimeWindow,
  codesCheckedMax = CODES_CHECKED_MAX,
): Promise<number> {
  const unknown = await unknownOf(deps, await readHistory(deps, window));
  const startedAt = deps.clock.now();
  const codes = await codesToAsk(deps, unknown, { startedAt, limit: codesCheckedMax });
  const { left, fault } = await checkOwnCodes(deps, codes, unknown);
  const waiting: ListedQrPayment[] = [];
  for (const payment of left) {
    if (await mayBeOurs(deps, payment)) waiting.push(payment);
    else await takeForeign(deps, payment);
  }
  const unfinished = whyUnfinished(waiting, { fault, startedAt });
  if (unfinished !== undefined) throw unfinished;
  return unknown.length - waiting.length;
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
      deps.logger.warn('QR history second full, rows may be missing', fields);
    };
    const rows = await splitFullWindows(read, window, { rowsMax: HISTORY_ROWS_MAX, onFull });
    return listedQrPayments(rows, 'qr.history');
  });
}

/** Returns the codes of Millime that these payments may have paid, in checking order. */
async function codesToAsk(
  { database, settings }: PaymentsDeps,
  payments: readonly ListedQrPayment[],
  { startedAt, limit }: { readonly startedAt: Instant; readonly limit: number },
): Promise<readonly CandidateCode[]> {
  const wanted: { payment: ListedQrPayment; codes: readonly CandidateCode[] }[] = [];
  for (const payment of payments) {
    const query = { ...candidateCodesOf(payment, startedAt), limit };
    wanted.push({ payment, codes: await database.read((session) => openQrPayments(session).codesOf(query)) });
  }
  return inCheckOrder(wanted, { startedAt, isTest: settings.isTest }).slice(0, limit);
}

async function mayBeOurs({ database, clock }: PaymentsDeps, payment: ListedQrPayment): Promise<boolean> {
  const query = { ...openCodesOf(payment, clock.now()), limit: 1 };
  return (await database.read((session) => openQrPayments(session).codesOf(query))).length > 0;
}

/** Returns why payments wait; undefined if all of them are only too recent. Pure. */
function whyUnfinished(
  waiting: readonly ListedQrPayment[],
  { fault, startedAt }: { readonly fault: string | undefined; readonly startedAt: Instant },
): AppError | undefined {
  if (waiting.length === 0) return undefined;
  if (fault !== undefined) return new AppError('unavailable', `QR history: payments wait: ${fault}`);
  if (waiting.every((payment) => startedAt < tellsFrom(payment))) return undefined;
  return new AppError('interrupted', 'QR history: payments wait for codes that the next run asks about');
}

/** Imports a payment whose code is not Millime's, or was created elsewhere. */
async function takeForeign({ database, clock, settings }: PaymentsDeps, payment: ListedQrPayment): Promise<void> {
  const { transactionUniqueId, amount, paidAt: occurredAt } = payment;
  await database.transact(
    async (session) => {
      const store = openQrPayments(session);
      if ((await store.find([transactionUniqueId])).size > 0) return;
      const now = clock.now();
      const itemId = settings.isTest ? undefined : paymentItemId(transactionUniqueId);
      await store.add({ ...payment, trackingId: undefined, firstSeenAt: now, itemId });
      if (itemId === undefined) return;
      const item = { itemId, channel: 'qr', amount, agentId: undefined, refundOf: undefined, occurredAt } as const;
      await postItem(session, item, { recordedAt: now, recordedBy: STATUS_CHECK_ACTOR });
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}
