import { elementAt } from '../at';
import { type Channel, CHANNELS, type Item } from '../match-request';
import { ByteTable } from './byte-table';
import { refundChecker } from './check-refund';
import { CsvRows, type InputFile } from './csv-rows';
import type { FaultList } from './fault-list';
import { InstantReader } from './instant-reader';
import { checkId, readAmount, readInstant } from './read-fields';
import type { WarningList } from './warning-list';
import { WordTable } from './word-table';

const COLUMNS = {
  required: ['item_id', 'channel', 'amount_millimes', 'succeeded_at', 'refund_of'],
  optional: ['available_after', 'available_until'],
} as const;

/** The items by their number in the file, and the numbers of their identifiers. */
export interface ReadItems {
  readonly items: readonly Item[];
  readonly ids: ByteTable;
}

/** A refund whose payment is still to be found, because it may come later in the file. */
interface Refund {
  readonly item: Item;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `items.csv`. The payment of a refund may be missing, because the file may begin after it. An amount without a
 * payment may be negative, because not every reversal names one. A refund that does not fit its payment is a warning.
 * The result is valid only if no fault was noted.
 */
export function readItems(file: InputFile, faults: FaultList, warnings: WarningList): ReadItems {
  const rows = new CsvRows(file, COLUMNS, faults);
  const ids = new ByteTable(rows.bytes);
  const items: Item[] = [];
  const lines: number[] = [];
  const refunds: Refund[] = [];
  const idColumn = rows.column('item_id');
  const refundColumn = rows.column('refund_of');
  const readItem = itemReader(rows, idColumn, refundColumn);
  while (rows.next()) {
    const item = readItem();
    if (item === undefined) continue;
    const entry = ids.place(rows.start(idColumn), rows.end(idColumn));
    if (entry < items.length) {
      rows.fault(idColumn, `stands on line ${elementAt(lines, entry)} already`);
      continue;
    }
    items.push(item);
    lines.push(rows.line);
    if (item.refundOf === undefined) continue;
    refunds.push({ item, line: rows.line, start: rows.start(refundColumn), end: rows.end(refundColumn) });
  }
  const checkRefund = refundChecker();
  for (const { item, line, start, end } of refunds) {
    const taken = items[ids.indexOf(rows.bytes, start, end)];
    if (taken === undefined) continue;
    if (taken.amount > 0) {
      checkRefund(item, taken, (column, reason) => warnings.add({ file: file.name, line, column }, reason));
    } else faults.add(`${file.name}, line ${line}, refund_of`, 'must name a payment, not what takes one back');
  }
  return { items, ids };
}

/** Returns a function that reads the current row; it returns undefined after noting the faults of the row. */
function itemReader(rows: CsvRows, idColumn: number, refundColumn: number): () => Item | undefined {
  const channelColumn = rows.column('channel');
  const amountColumn = rows.column('amount_millimes');
  const succeededColumn = rows.column('succeeded_at');
  const afterColumn = rows.column('available_after');
  const untilColumn = rows.column('available_until');
  const instants = new InstantReader();
  const channels = new WordTable<Channel>(rows, channelColumn, (text) => CHANNELS.find((name) => name === text));
  return () => {
    // Every column is checked, so that a person sees all faults of a row together.
    const isNamed = checkId(rows, idColumn);
    const channel = channels.read();
    if (channel === undefined) rows.fault(channelColumn, `must be one of ${CHANNELS.join(', ')}`);
    const amount = readAmount(rows, amountColumn);
    const succeededAt = readInstant(rows, succeededColumn, instants);
    const isRefund = !rows.isEmpty(refundColumn);
    const isGood = (!isRefund || checkId(rows, refundColumn)) && isNamed;
    if (isRefund && amount !== undefined && amount > 0) {
      rows.fault(amountColumn, 'must be negative, because refund_of names what it takes back');
    }
    const availableAfter = rows.isEmpty(afterColumn) ? undefined : readInstant(rows, afterColumn, instants);
    const availableUntil = rows.isEmpty(untilColumn) ? undefined : readInstant(rows, untilColumn, instants);
    if (availableAfter !== undefined && availableUntil !== undefined && availableAfter >= availableUntil) {
      rows.fault(untilColumn, 'must be later than available_after');
    }
    if (!isGood || channel === undefined || amount === undefined || succeededAt === undefined) return undefined;
    const refundOf = isRefund ? rows.text(refundColumn) : undefined;
    return { itemId: rows.text(idColumn), channel, amount, succeededAt, refundOf, availableAfter, availableUntil };
  };
}
