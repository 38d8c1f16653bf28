import type { z } from 'zod';
import { addDays, assert, type BusinessDate, type Page } from '../../kernel';
import { type Payment, progressOf } from '../../payments';
import {
  type PaymentKey,
  type PaymentQuery,
  type PlacedPayment,
  placePayments,
  type TimelineEntry,
  type TimelineKey,
  timelinePage,
} from '../../reporting';
import { shownPaymentJson, type shownPaymentValue } from '../../shapes/found-payments';
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

/** Returns a page of what happened to a payment of any channel. @throws AppError `not_found`, `ambiguous_id`. */
export function paymentTimeline(
  { reporting, reconciliation, calendar }: FindingRooms,
  id: string,
  query: { readonly after: TimelineKey | undefined; readonly limit: number },
): Promise<Page<TimelineEntry, TimelineKey>> {
  return timelinePage(
    (each) => reporting.paymentTimeline(id, each),
    (itemIds) => reconciliation.dueItems(itemIds),
    calendar,
    query,
  );
}

export interface PaymentsWanted extends Omit<PaymentQuery, 'from' | 'until'> {
  readonly from: BusinessDate | undefined;
  /** This day counts. */
  readonly to: BusinessDate | undefined;
}

/** A row of the list; `attempt` is that of a row that is one. */
export interface ListedRow {
  readonly placed: PlacedPayment;
  readonly attempt: Payment | undefined;
}

/** Returns a page of the payments of all channels, newest first. */
export async function listPayments(
  { payments, reporting, reconciliation, calendar }: FindingRooms,
  { from, to, ...wanted }: PaymentsWanted,
): Promise<Page<ListedRow, PaymentKey>> {
  const query = {
    ...wanted,
    from: from === undefined ? undefined : calendar.startOf(from),
    until: to === undefined ? undefined : calendar.startOf(addDays(to, 1)),
  };
  const { rows, next } = await reporting.payments(query, (itemIds) => reconciliation.dueItems(itemIds));
  const trackingIds = rows.filter(({ source }) => source === 'attempt').map(({ id }) => id);
  const found = trackingIds.length === 0 ? [] : await payments.list({ trackingIds, limit: trackingIds.length });
  const attempts = new Map(found.map((attempt) => [attempt.trackingId, attempt]));
  return { rows: rows.map((placed) => ({ placed, attempt: attempts.get(placed.id) })), next };
}
