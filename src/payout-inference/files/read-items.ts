import type { Instant } from '../../kernel';
import { elementAt } from '../at';
import { CHANNELS, type Item } from '../match-request';
import { refundChecker } from './check-refund';
import { CsvRows, type InputFile } from './csv-rows';
import type { FaultList } from './fault-list';
import { checkId, readAmount, readInstant } from './read-fields';
import type { WarningList } from './warning-list';

const COLUMNS = {
  required: ['item_id', 'channel', 'amount_millimes', 'succeeded_at', 'refund_of'],
  optional: ['available_after', 'available_until'],
} as const;

/** The items, and the index of each by its identifier. */
export interface ReadItems {
  readonly items: readonly Item[];
  readonly indexOf: ReadonlyMap<string, number>;
}

/**
 * Reads `items.csv`. The payment of a refund may be missing, because the file may begin after it. An amount without a
 * payment may be negative, because not every reversal names one. A refund that does not fit its payment is a warning.
 * The result is valid only if no fault was noted.
 */
export function readItems(file: InputFile, faults: FaultList, warnings: WarningList): ReadItems {
  const rows = new CsvRows(file, COLUMNS, faults);
  const indexOf = new Map<string, number>();
  const items: Item[] = [];
  const lines: number[] = [];
  const idColumn = rows.column('item_id');
  const readItem = itemReader(rows, idColumn);
  while (rows.next()) {
    const item = readItem();
    if (item === undefined) continue;
    const first = indexOf.get(item.itemId);
    if (first !== undefined) {
      rows.fault(idColumn, `stands on line ${elementAt(lines, first)} already`);
      continue;
    }
    indexOf.set(item.itemId, items.length);
    items.push(item);
    lines.push(rows.line);
  }
  // The payment of a refund may come later in the file.
  const checkRefund = refundChecker();
  for (const [index, item] of items.entries()) {
    const taken = item.refundOf === undefined ? undefined : items[indexOf.get(item.refundOf) ?? -1];
    if (taken === undefined) continue;
    const line = elementAt(lines, index);
    if (taken.amount > 0) {
      checkRefund(item, taken, (column, reason) => warnings.add({ file: file.name, line, column }, reason));
    } else faults.add(`${file.name}, line ${line}, refund_of`, 'must name a payment, not what takes one back');
  }
  return { items, indexOf };
}

/** Returns a function that reads the current row; it returns undefined after noting the faults of the row. */
function itemReader(rows: CsvRows, idColumn: number): () => Item | undefined {
  const channelColumn = rows.column('channel');
  const refundColumn = rows.column('refund_of');
  const amountColumn = rows.column('amount_millimes');
  const succeededColumn = rows.column('succeeded_at');
  const afterColumn = rows.column('available_after');
  const untilColumn = rows.column('available_until');
  const optionalInstant = (column: number): Instant | undefined =>
    rows.text(column) === '' ? undefined : readInstant(rows, column);
  return () => {
    // Every column is checked, so that a person sees all faults of a row together.
    const isNamed = checkId(rows, idColumn);
    const channelText = rows.text(channelColumn);
    const channel = CHANNELS.find((name) => name === channelText);
    if (channel === undefined) rows.fault(channelColumn, `must be one of ${CHANNELS.join(', ')}`);
    const amount = readAmount(rows, amountColumn);
    const succeededAt = readInstant(rows, succeededColumn);
    const isRefund = rows.text(refundColumn) !== '';
    const isGood = (!isRefund || checkId(rows, refundColumn)) && isNamed;
    if (isRefund && amount !== undefined && amount > 0) {
      rows.fault(amountColumn, 'must be negative, because refund_of names what it takes back');
    }
    const availableAfter = optionalInstant(afterColumn);
    const availableUntil = optionalInstant(untilColumn);
    if (availableAfter !== undefined && availableUntil !== undefined && availableAfter >= availableUntil) {
      rows.fault(untilColumn, 'must be later than available_after');
    }
    if (!isGood || channel === undefined || amount === undefined || succeededAt === undefined) return undefined;
    const refundOf = isRefund ? rows.text(refundColumn) : undefined;
    return { itemId: rows.text(idColumn), channel, amount, succeededAt, refundOf, availableAfter, availableUntil };
  };
}
