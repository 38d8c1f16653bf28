import type { BusinessDate } from '../../kernel';
import type { BankLine, FeeRule, Item, Observation } from '../match-request';
import { FaultList } from './fault-list';
import type { InputFile } from './input-file';
import { readFees } from './read-fees';
import { readHolidays } from './read-holidays';
import { readItems } from './read-items';
import { type ReadObservations, readObservations } from './read-observations';
import { readStatement } from './read-statement';
import { WarningList } from './warning-list';

/** The files of one run. */
export interface MatchFiles {
  readonly items: InputFile;
  /** Without observations nothing is known but what the items say. */
  readonly observations: InputFile | undefined;
  readonly statement: InputFile;
  readonly fees: InputFile | undefined;
  readonly holidays: InputFile | undefined;
}

/** What the files hold. */
export interface MatchFacts {
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
  /** For each observation the place of its item in `items`, -1 for one that is not there. */
  readonly observedItems: readonly number[];
  readonly lines: readonly BankLine[];
  /** Undefined without a file: learn them. */
  readonly fees: readonly FeeRule[] | undefined;
  /** Undefined without a file. */
  readonly holidays: readonly BusinessDate[] | undefined;
  /** What can hardly be meant and was taken as it stands: one text for each kind, with file, line and column. */
  readonly warnings: readonly string[];
}

const NO_OBSERVATIONS: ReadObservations = { observations: [], observedItems: [] };

/**
 * Reads the files that describe what the gateway owes and what the bank booked: CSV with a header line, columns in any
 * order, amounts in whole millimes, instants in ISO 8601 with an offset, days as `YYYY-MM-DD`, UTF-8.
 *
 * @throws AppError `file_faults`; its details name the first faults of all files, each with file, line and column.
 */
export function readMatchFiles(files: MatchFiles): MatchFacts {
  const faults = new FaultList();
  const warnings = new WarningList();
  const items = readItems(files.items, faults, warnings);
  const { observations: observationsFile } = files;
  const observed =
    observationsFile === undefined ? NO_OBSERVATIONS : readObservations(observationsFile, items, faults, warnings);
  const lines = readStatement(files.statement, faults);
  const fees = files.fees === undefined ? undefined : readFees(files.fees, faults);
  const holidays = files.holidays === undefined ? undefined : readHolidays(files.holidays, faults);
  faults.throwIfAny();
  return { items: items.items, ...observed, lines, fees, holidays, warnings: warnings.texts() };
}
