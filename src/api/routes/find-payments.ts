import type { z } from 'zod';
import { addDays, AppError, assert, type BusinessDate, type Millimes, type Page } from '../../kernel';
import { type Payment, progressOf } from '../../payments';
import {
  type MoneyState,
  type PaymentListFilter,
  placedPage,
  type PlacedPayment,
  placePayments,
} from '../../reporting';
import { shownPaymentJson, type shownPaymentValue } from '../../shapes/payments';
import type { ApiRooms } from '../operation/rooms';

type FindingRooms = Pick<ApiRooms, 'payments' | 'reporting' | 'reconciliation' | 'calendar'>;

/** Returns the payment of any channel that an id names. @throws AppError `not_found`, `ambiguous_id`. */
export async function showPayment(
  { payments, reporting, reconciliation }: FindingRooms,
  id: string,
): Promise<z.input<typeof shownPaymentValue>> {
  const [placed] = await placePayments([await reporting.payment(id)], (items) => reconciliation.dueItems(items));
  assert(placed !== undefined, 'each payment is placed');
  if (placed.source !== 'attempt') return shownPaymentJson(placed, undefined);
  const details = await payments.show(placed.id);
  return shownPaymentJson(placed, { ...details, progress: progressOf(details) });
}

/** No index orders the payments by amount, so a search by amount reads all payments of its days. */
const AMOUNT_DAYS_MAX = 7;

export interface PaymentsWanted extends Omit<PaymentListFilter, 'from' | 'until' | 'after'> {
  readonly from: BusinessDate | undefined;
  readonly to: BusinessDate | undefined;
  readonly amount: Millimes | undefined;
  readonly state: MoneyState | undefined;
}

/** A row of the list; `attempt` is that of a row that is one. */
export interface ListedRow {
  readonly placed: PlacedPayment;
  readonly attempt: Payment | undefined;
}

/**
 * Returns a page of the payments of all channels, newest first.
 *
 * @throws AppError `bad_input` for an amount without a period of at most 7 days.
 */
export async function listPayments(
  { payments, reporting, reconciliation, calendar }: FindingRooms,
  { from, to, state, ...wanted }: PaymentsWanted,
  after: readonly [string] | undefined,
  limit: number,
): Promise<Page<ListedRow, readonly [string]>> {
  requireShortPeriod(wanted.amount, from, to);
  const filter = {
    ...wanted,
    from: from === undefined ? undefined : calendar.startOf(from),
    until: to === undefined ? undefined : calendar.startOf(addDays(to, 1)),
  };
  const { rows, next } = await placedPage(
    (cursor, most) => reporting.payments({ ...filter, after: cursor }, most),
    (itemIds) => reconciliation.dueItems(itemIds),
    { limit, state, after: after?.[0] },
  );
  const trackingIds = rows.filter(({ source }) => source === 'attempt').map(({ id }) => id);
  const found = trackingIds.length === 0 ? [] : await payments.list({ trackingIds, limit: trackingIds.length });
  const attempts = new Map(found.map((attempt) => [attempt.trackingId, attempt]));
  return {
    rows: rows.map((placed) => ({ placed, attempt: attempts.get(placed.id) })),
    next: next === undefined ? undefined : [next],
  };
}

function requireShortPeriod(
  amount: Millimes | undefined,
  from: BusinessDate | undefined,
  to: BusinessDate | undefined,
): void {
  if (amount === undefined) return;
  if (from !== undefined && to !== undefined && to < addDays(from, AMOUNT_DAYS_MAX)) return;
  const expected = `from and to with at most ${AMOUNT_DAYS_MAX} days beside an amount`;
  throw new AppError('bad_input', { field: 'amountMillimes', expected });
}
