import { formatInstant, type Instant } from '../../kernel';
import { type BankLine, inBookingOrder } from './bank-line';
import { inOrderOfAvailability, type PayableItem } from './payable-item';

// The files that an engine without a database reads: items.csv, observations.csv and statement.csv.

/** An item with its availability as polling observes it: in `(after, until]`. */
export interface ListedItem extends PayableItem {
  readonly seenAvailable?: { readonly after: Instant | undefined; readonly until: Instant };
}

/** A status check's result for an item, and its time. */
export interface ItemObservation {
  readonly itemId: string;
  readonly observedAt: Instant;
  readonly status: string;
  /** Empty where the gateway does not say one. */
  readonly settlementStatus: string;
}

/** items.csv. The two columns of availability are there when any item has been seen. */
export function itemsCsv(items: readonly ListedItem[]): string {
  const seen = items.some(({ seenAvailable }) => seenAvailable !== undefined);
  const listed = new Map(items.map((item) => [item.itemId, item.seenAvailable]));
  const header = ['item_id', 'channel', 'amount_millimes', 'succeeded_at', 'refund_of'];
  return csvText([
    seen ? [...header, 'available_after', 'available_until'] : header,
    ...inOrderOfAvailability(items).map((item) => {
      const { itemId, channel, amountMillimes, succeededAt, refundOf = '' } = item;
      const known = listed.get(itemId);
      const fields = [itemId, channel, String(amountMillimes), formatInstant(succeededAt), refundOf];
      return seen ? [...fields, instantOrNothing(known?.after), instantOrNothing(known?.until)] : fields;
    }),
  ]);
}

/** observations.csv, in the order given: observations are appended, never changed. */
export function observationsCsv(observations: readonly ItemObservation[]): string {
  return csvText([
    ['item_id', 'observed_at', 'status', 'settlement_status'],
    ...observations.map(({ itemId, observedAt, status, settlementStatus }) => [
      itemId,
      formatInstant(observedAt),
      status,
      settlementStatus,
    ]),
  ]);
}

/** statement.csv: what a bank statement says, with the simulator's ids of its lines. */
export function statementCsv(lines: readonly BankLine[]): string {
  return csvText([
    ['line_id', 'booking_date', 'value_date', 'amount_millimes', 'counterparty', 'remittance'],
    ...inBookingOrder(lines).map(({ lineId, bookingDate, valueDate, amountMillimes, counterparty, remittance }) => [
      lineId,
      bookingDate,
      valueDate,
      String(amountMillimes),
      counterparty,
      remittance,
    ]),
  ]);
}

function instantOrNothing(instant: Instant | undefined): string {
  return instant === undefined ? '' : formatInstant(instant);
}

/** A program reads these files: text stays as it is, and is quoted where it would else be read as something else. */
function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
