import type { BusinessDate } from '../../kernel';
import type { BankLine, FeeRule, Item, Observation } from '../match-request';
import type { InputFile } from './csv-rows';
import { FaultList } from './fault-list';
import { readFees } from './read-fees';
import { readHolidays } from './read-holidays';
import { readItems } from './read-items';
import { type ReadObservations, readObservations } from './read-observations';
import { readStatement } from './read-statement';
import { WarningList } from './warning-list';

/** The files of one run. */
export interface MatchFiles {
  readonly items: InputFile;
  /** Without observations, only the facts of the items are known. */
  readonly observations: InputFile | undefined;
  readonly statement: InputFile;
  readonly fees: InputFile | undefined;
  readonly holidays: InputFile | undefined;
}

/** The contents of the files. */
export interface MatchFacts {
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
  /** For each observation, the index of its item in `items`; -1 if the item is not in the file. */
  readonly observedItems: readonly number[];
  readonly lines: readonly BankLine[];
  /** Undefined without a file: the inference learns them. */
  readonly fees: readonly FeeRule[] | undefined;
  /** Undefined without a file. */
  readonly holidays: readonly BusinessDate[] | undefined;
  /** Unlikely values that were accepted as they are: one text for each kind, with file, line and column. */
  readonly warnings: readonly string[];
}

const NO_OBSERVATIONS: ReadObservations = { observations: [], observedItems: [] };

/**
 * Reads the files that describe what the gateway owes and what the bank booked. They are CSV in UTF-8 with a header
 * line and columns in any order. Amounts are whole millimes, instants are ISO 8601 with an offset, days are
 * `YYYY-MM-DD`.
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
