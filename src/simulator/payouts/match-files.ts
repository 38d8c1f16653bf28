import { formatInstant, type Instant } from '../../kernel';
import { type BankLine, inBookingOrder } from './bank-line';
import { inOrderOfAvailability, type PayableItem } from './payable-item';

// The input files of a matching program without a database: items.csv, observations.csv and statement.csv.

/** An item with its availability as polling observes it: in `(after, until]`. */
export interface ListedItem extends PayableItem {
  readonly seenAvailable?: { readonly after: Instant | undefined; readonly until: Instant };
}

/** A status check's result for an item, and its time. */
export interface ItemObservation {
  readonly itemId: string;
  readonly observedAt: Instant;
  readonly status: string;
  /** Empty if the gateway reports none. */
  readonly settlementStatus: string;
}

/** Writes items.csv. The two availability columns exist only if the availability of some item was seen. */
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

/** Writes observations.csv in the given order: observations are appended, never changed. */
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

/** Writes statement.csv: the lines of a bank statement, with the simulator's ids. */
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

/** Writes CSV for programs: text stays unchanged, with quotes where CSV requires them. */
function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
