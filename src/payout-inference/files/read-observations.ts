import { outsideIdFault } from '../../kernel';
import type { Observation } from '../match-request';
import { CsvRows, type InputFile } from './csv-rows';
import type { FaultList } from './fault-list';
import { InstantReader } from './instant-reader';
import { checkId, readInstant } from './read-fields';
import type { ReadItems } from './read-items';
import type { WarningList } from './warning-list';
import { WordTable } from './word-table';

const COLUMNS = { required: ['item_id', 'observed_at', 'status', 'settlement_status'] } as const;
/** The settlement statuses of the gateway. The empty one has no meaning. */
const SETTLEMENT_STATUSES = new Set(['AVAILABLE', '', 'PROCESSING', 'IN_PAYOUT', 'PAID', 'NOT_APPLICABLE']);
const UNKNOWN_ITEM = 'is not the id of an item; the observation is ignored';
const UNKNOWN_STATUS = 'is not PROCESSING, AVAILABLE, IN_PAYOUT, PAID, NOT_APPLICABLE or empty';

/** The observations, and for each the index of its item; -1 if the item was not read. */
export interface ReadObservations {
  readonly observations: readonly Observation[];
  readonly observedItems: readonly number[];
}

/**
 * Reads `observations.csv`. Observations of unknown items and unknown settlement statuses are accepted with a warning.
 * The payment status is not compared with a list, because nothing depends on it. The result is valid only if no fault
 * was noted.
 */
export function readObservations(
  file: InputFile,
  { items, ids }: ReadItems,
  faults: FaultList,
  warnings: WarningList,
): ReadObservations {
  const rows = new CsvRows(file, COLUMNS, faults);
  const idColumn = rows.column('item_id');
  const observedColumn = rows.column('observed_at');
  const statusColumn = rows.column('status');
  const settlementColumn = rows.column('settlement_status');
  const instants = new InstantReader();
  const statuses = new WordTable(rows, statusColumn, (text) => (outsideIdFault(text) === undefined ? text : undefined));
  const settlements = new WordTable(rows, settlementColumn, (text) =>
    text === '' || outsideIdFault(text) === undefined ? text : undefined,
  );
  const observations: Observation[] = [];
  const observedItems: number[] = [];
  while (rows.next()) {
    // The identifier of a known item is valid, and its text exists already.
    const place = ids.indexOf(rows.bytes, rows.start(idColumn), rows.end(idColumn));
    const item = items[place];
    const isNamed = item !== undefined || checkId(rows, idColumn);
    const observedAt = readInstant(rows, observedColumn, instants);
    const status = statuses.read();
    if (status === undefined) rows.fault(statusColumn, 'must be a status, such as SUCCESS');
    const settlementStatus = settlements.read();
    if (settlementStatus === undefined) rows.fault(settlementColumn, 'must be empty or a status, such as AVAILABLE');
    if (!isNamed || observedAt === undefined || status === undefined || settlementStatus === undefined) continue;
    observations.push({ itemId: item?.itemId ?? rows.text(idColumn), observedAt, status, settlementStatus });
    observedItems.push(place);
    if (item === undefined) warnings.add({ file: file.name, line: rows.line, column: 'item_id' }, UNKNOWN_ITEM);
    if (SETTLEMENT_STATUSES.has(settlementStatus)) continue;
    warnings.add({ file: file.name, line: rows.line, column: 'settlement_status' }, UNKNOWN_STATUS);
  }
  return { observations, observedItems };
}
