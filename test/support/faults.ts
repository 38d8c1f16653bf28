import { appendFileSync } from 'node:fs';

/** How much longer than in `npm test` a fault run is: `npm run test:faults -- --length 10` sets it. */
export const FAULT_LENGTH = Number(process.env['FAULT_LENGTH'] ?? 1);

/** What chance in a fault run depends on: `npm run test:faults -- --seed 7` sets it. */
export const FAULT_SEED = Number(process.env['FAULT_SEED'] ?? 20_260_302);

/**
 * Returns the size of a long search or property run: `short` in `npm test`, `full` with FAULT_FULL=1 and in
 * `npm run test:faults`, which runs every file that calls this.
 */
export function sized<T>({ short, full }: { readonly short: T; readonly full: T }): T {
  return process.env['FAULT_TABLE'] === undefined && process.env['FAULT_FULL'] !== '1' ? short : full;
}

/** What one fault did to one kind of database; a row of the table that `npm run test:faults` prints. */
export interface FaultRow {
  /** Its number in the list of faults, such as `F21`. */
  readonly fault: string;
  readonly what: string;
  readonly database: 'sqlite' | 'mariadb' | 'none';
  readonly rounds: number;
  /** Answers `0` that a client read (for faults without confirms: good requests that were answered well). */
  readonly acknowledged: number;
  /** Acknowledged and not stored, or good and not answered. */
  readonly lost: number;
  readonly doubled: number;
  readonly longestMs: number;
}

/** Adds a row to the table of the run; does nothing outside `npm run test:faults`. */
export function recordFault(row: FaultRow): void {
  const file = process.env['FAULT_TABLE'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
}

/** A whole month in `npm run test:faults`, and a short one in `npm test`. */
export const MONTH_SIZE = sized({
  short: {
    days: 2,
    opens: 12,
    closes: 13,
    closedStepHours: 3,
    outageStepHours: 3,
    quietDays: 4,
    payments: 60,
    subscriptions: 8,
  },
  full: {
    days: Number(process.env['MONTH_DAYS'] ?? 30),
    opens: 8,
    closes: 17,
    closedStepHours: 0.5,
    outageStepHours: 0.5,
    quietDays: 10,
    payments: Number(process.env['MONTH_PAYMENTS'] ?? 5_000),
    subscriptions: Number(process.env['MONTH_SUBSCRIPTIONS'] ?? 300),
  },
});
