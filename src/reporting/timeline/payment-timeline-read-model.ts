import { column, rowCodec, type Session } from '../../db';
import { assert, type BusinessCalendar, compareKeys, type Page, pageOf } from '../../kernel';
import { findPayment } from '../find-payment-read-model';
import { type ListedPayment, paymentsNamed } from '../payment-list-read-model';
import { breakEntries } from './break-entries-read-model';
import {
  attemptEntries,
  observationEntries,
  operationEntries,
  receiptEntries,
  webhookEntries,
} from './collection-entries-read-model';
import { moneyEntries } from './money-entries-read-model';
import { type TimelineEntry, type TimelineKey, timelineKeyOf } from './timeline-entry';
import { ROWS_PER_SOURCE, type TimelinePayment } from './timeline-payment';

const GATEWAY_ID = rowCodec({ gatewayId: column.optional(column.text('gateway_id')) });
const REFUND = rowCodec({ itemId: column.text('item_id') });

export interface TimelineQuery {
  readonly after: TimelineKey | undefined;
  readonly limit: number;
}

/** A page of what happened to a payment, the oldest entry first. */
export interface PaymentTimeline extends Page<TimelineEntry, TimelineKey> {
  /** The item of its money; undefined until it is in the ledger. */
  readonly itemId: string | undefined;
}

/**
 * Reads a page of everything that happened to the payment that a text names. All rows are found by ids of the payment:
 * status checks and webhooks behind the key, and at most 500 rows of every other table.
 *
 * @throws AppError `not_found`, `ambiguous_id`.
 */
export async function paymentTimeline(
  session: Session,
  text: string,
  { after, limit }: TimelineQuery,
  calendar: Pick<BusinessCalendar, 'dateOf'>,
): Promise<PaymentTimeline> {
  const { source, id } = await findPayment(session, text);
  const [listed] = await paymentsNamed(session, source, [id]);
  assert(listed !== undefined, 'a payment that was found in the snapshot exists');
  const payment = await toTimelinePayment(session, listed, calendar);
  const found = await entriesOf(session, payment, { after, limit }, calendar);
  const rows = found
    .filter((entry) => after === undefined || compareKeys(timelineKeyOf(entry), after) > 0)
    .sort((a, b) => compareKeys(timelineKeyOf(a), timelineKeyOf(b)));
  return { ...pageOf(rows, limit, timelineKeyOf), itemId: listed.itemId };
}

async function toTimelinePayment(
  session: Session,
  { source, id, at, itemId, trackingId }: ListedPayment,
  { dateOf }: Pick<BusinessCalendar, 'dateOf'>,
): Promise<TimelinePayment> {
  const gatewayId = source === 'attempt' ? await gatewayIdOf(session, id) : source === 'confirm' ? undefined : id;
  const named = itemId ?? (gatewayId === undefined ? undefined : `payment:${gatewayId}`);
  const refunds = session('gateway_items as i')
    .select('i.item_id')
    .where('i.refund_of', named ?? '')
    .orderBy('i.item_id')
    .limit(ROWS_PER_SOURCE);
  const refundIds = named === undefined ? [] : (await REFUND.all(refunds)).map((refund) => refund.itemId);
  const itemIds = named === undefined ? [] : [named, ...refundIds];
  return { source, id, at, day: dateOf(at), gatewayId, trackingId, itemIds };
}

async function gatewayIdOf(session: Session, trackingId: string): Promise<string | undefined> {
  const query = session('payments as p').select('p.gateway_id').where('p.tracking_id', trackingId);
  return (await GATEWAY_ID.first(query))?.gatewayId;
}

/** Reads the first `limit + 1` entries behind the key, and perhaps others. */
async function entriesOf(
  session: Session,
  payment: TimelinePayment,
  { after, limit }: TimelineQuery,
  calendar: Pick<BusinessCalendar, 'dateOf'>,
): Promise<TimelineEntry[]> {
  const { source, id, gatewayId } = payment;
  const money = await moneyEntries(session, payment, calendar);
  return [
    ...(source === 'attempt' ? await attemptEntries(session, id) : []),
    ...(source === 'attempt' ? await operationEntries(session, id) : []),
    ...(source === 'attempt' ? await observationEntries(session, id, after, limit + 1) : []),
    ...(await receiptEntries(session, payment)),
    ...(gatewayId === undefined ? [] : await webhookEntries(session, gatewayId, after, limit + 1)),
    ...money.entries,
    ...(await breakEntries(session, payment, money.matches)),
  ];
}
