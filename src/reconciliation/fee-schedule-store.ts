import { optionalText, rowsOf, type Row, type Session } from '../db';
import { businessDate, newId, type BusinessDate, type Instant } from '../kernel';
import type { FeeRule } from '../payout-inference';
import { readFeeRules, writeFeeRules } from './fee-rules-json';

/** What the gateway keeps, as a run learned it or a person said it. */
export interface FeeSchedule {
  readonly id: string;
  readonly rules: readonly FeeRule[];
  /** The credits from which it was learned, and their days; none of what a person gave. */
  readonly lineIds: readonly string[];
  readonly firstDate: BusinessDate | undefined;
  readonly lastDate: BusinessDate | undefined;
  readonly recordedAt: Instant;
  /** Who took responsibility for it; until then it is inferred, and a later run may learn another. */
  readonly confirmedBy: string | undefined;
  readonly confirmedAt: Instant | undefined;
}

export interface NewSchedule {
  readonly rules: readonly FeeRule[];
  readonly lineIds: readonly string[];
  readonly firstDate: BusinessDate | undefined;
  readonly lastDate: BusinessDate | undefined;
  /** The run that learned it; undefined for what a person gave. */
  readonly runId: string | undefined;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/** The fee schedules inside one transaction of the database. */
export interface FeeSchedules {
  /** The newest first. */
  list(): Promise<FeeSchedule[]>;
  /** The one that holds: the newest. */
  current(): Promise<FeeSchedule | undefined>;
  /** Returns the same and locks it: none is added or confirmed until the transaction ends, if one exists. */
  holdCurrent(): Promise<FeeSchedule | undefined>;
  /** The newest that a person stands for, or that a run has stored which is not after `runId`. */
  upTo(runId: string): Promise<FeeSchedule | undefined>;
  /**
   * The newest apart from one that this transaction has added, held until it ends. Of two at once each waits for what the
   * other has added, even when there was none: the server ends one of them, and it runs again and sees the other's.
   */
  holdBeside(id: string): Promise<FeeSchedule | undefined>;
  /** Gives its id. */
  add(schedule: NewSchedule): Promise<string>;
  /** A schedule that is confirmed already fails with `duplicate_key`. */
  confirm(id: string, by: { readonly name: string; readonly reason: string; readonly at: Instant }): Promise<void>;
}

/** The column is of a time when only runs made schedules. */
const NO_RUN = '';

export function openFeeSchedules(session: Session): FeeSchedules {
  const schedules = (): ReturnType<Session> =>
    session('payout_fee_schedules as f')
      .leftJoin('payout_fee_confirmations as c', 'c.schedule_id', 'f.id')
      .select('f.id', 'f.rules', 'f.credits', 'f.first_date', 'f.last_date', 'f.recorded_at')
      .select('c.confirmed_by', 'c.confirmed_at')
      .orderBy('f.id', 'desc');
  const first = async (some: ReturnType<Session>): Promise<FeeSchedule | undefined> => {
    const [row] = await rowsOf(some.limit(1));
    return row === undefined ? undefined : toSchedule(row);
  };
  const holdNewest = async (limit: number): Promise<void> => {
    await rowsOf(session('payout_fee_schedules as f').select('f.id').orderBy('f.id', 'desc').limit(limit).forUpdate());
  };
  return {
    list: async () => (await rowsOf(schedules())).map(toSchedule),
    current: () => first(schedules()),
    async holdCurrent() {
      await holdNewest(1);
      return first(schedules());
    },
    upTo: (runId) => first(schedules().whereRaw('(f.run_id <= ? or c.confirmed_by is not null)', [runId])),
    async holdBeside(id) {
      await holdNewest(2);
      return first(schedules().whereNot('f.id', id));
    },
    async add({ rules, lineIds, firstDate, lastDate, runId, recordedAt, recordedBy }) {
      const id = newId();
      await session('payout_fee_schedules').insert({
        id,
        rules: writeFeeRules(rules),
        run_id: runId ?? NO_RUN,
        credits: JSON.stringify(lineIds),
        first_date: firstDate ?? null,
        last_date: lastDate ?? null,
        recorded_at: recordedAt,
        recorded_by: recordedBy,
      });
      return id;
    },
    async confirm(id, { name, reason, at }) {
      await session('payout_fee_confirmations').insert({
        schedule_id: id,
        confirmed_at: at,
        confirmed_by: name,
        reason,
      });
    },
  };
}

function toSchedule(row: Row): FeeSchedule {
  const day = (value: unknown): BusinessDate | undefined => {
    const text = optionalText(value);
    return text === undefined ? undefined : businessDate(text);
  };
  return {
    id: row['id'] as string,
    rules: readFeeRules(row['rules'] as string),
    lineIds: JSON.parse(row['credits'] as string) as string[],
    firstDate: day(row['first_date']),
    lastDate: day(row['last_date']),
    recordedAt: Number(row['recorded_at']),
    confirmedBy: optionalText(row['confirmed_by']),
    confirmedAt: row['confirmed_at'] === null ? undefined : Number(row['confirmed_at']),
  };
}
