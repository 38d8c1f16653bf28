import { outsideIdFault } from '../../kernel';
import type { Observation } from '../match-request';
import { CsvRows, type InputFile } from './csv-rows';
import type { FaultList } from './fault-list';
import { checkId, readInstant } from './read-fields';
import type { ReadItems } from './read-items';
import type { WarningList } from './warning-list';

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
  { items, indexOf }: ReadItems,
  faults: FaultList,
  warnings: WarningList,
): ReadObservations {
  const rows = new CsvRows(file, COLUMNS, faults);
  const idColumn = rows.column('item_id');
  const observedColumn = rows.column('observed_at');
  const statusColumn = rows.column('status');
  const settlementColumn = rows.column('settlement_status');
  const word = wordReader();
  const observations: Observation[] = [];
  const observedItems: number[] = [];
  while (rows.next()) {
    // The identifier of a known item is valid, and its text exists already.
    const place = indexOf.get(rows.text(idColumn)) ?? -1;
    const item = items[place];
    const isNamed = item !== undefined || checkId(rows, idColumn);
    const observedAt = readInstant(rows, observedColumn);
    const status = word(rows.text(statusColumn));
    if (status === undefined) rows.fault(statusColumn, 'must be a status, such as SUCCESS');
    const settlementText = rows.text(settlementColumn);
    const settlementStatus = settlementText === '' ? '' : word(settlementText);
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

/** Returns a function that checks and stores each distinct word once. It returns undefined for what is not a word. */
function wordReader(): (text: string) => string | undefined {
  const words = new Map<string, string>();
  return (text) => {
    const known = words.get(text);
    if (known !== undefined || outsideIdFault(text) !== undefined) return known;
    words.set(text, text);
    return text;
  };
}
