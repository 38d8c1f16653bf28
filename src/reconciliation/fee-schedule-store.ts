import { afterKey, column, type Decoded, rowCodec, type Session, takeTurn } from '../db';
import { type Instant, newId, type Page, pageByKey } from '../kernel';
import { readFeeRules, writeFeeRules } from './fee-rules-json';

const SCHEDULE = rowCodec({
  id: column.text('id'),
  rules: { name: 'rules', read: (value: unknown) => readFeeRules(String(value)), write: writeFeeRules },
  /** The credits from which a run learned it, and their days; none for a given schedule. */
  lineIds: column.json('credits', (value) => value as readonly string[]),
  firstDate: column.optional(column.businessDate('first_date')),
  lastDate: column.optional(column.businessDate('last_date')),
  recordedAt: column.number('recorded_at'),
});
const CONFIRMATION = rowCodec({
  /** The person who confirmed it; until then it is inferred, and a later run may learn another. */
  confirmedBy: column.optional(column.text('confirmed_by')),
  confirmedAt: column.optional(column.number('confirmed_at')),
});
const CONFIRMED_SCHEDULE = rowCodec({ ...SCHEDULE.fields, ...CONFIRMATION.fields });

/** The gateway's fees, as a run learned them or a person gave them. */
export type FeeSchedule = Decoded<typeof CONFIRMED_SCHEDULE>;

/** The id of a schedule. Ids rise from schedule to schedule. */
export type FeeScheduleKey = readonly [id: string];

export interface FeeScheduleQuery {
  readonly after?: FeeScheduleKey | undefined;
  readonly limit: number;
}

/** The fee rules that explained credits of a run. */
export type LearnedFees = Pick<FeeSchedule, 'rules' | 'lineIds' | 'firstDate' | 'lastDate'>;

export interface NewSchedule extends LearnedFees {
  /** The run that learned it; undefined for a given schedule. */
  readonly runId: string | undefined;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/** Reads and writes the fee schedules inside one transaction of the database. */
export interface FeeSchedules {
  /** Returns a page of schedules, newest first. */
  list(query: FeeScheduleQuery): Promise<Page<FeeSchedule, FeeScheduleKey>>;
  /** Returns the one in force: the newest. */
  current(): Promise<FeeSchedule | undefined>;
  /**
   * Returns the schedule in force. Of the transactions that call this, one works at a time, so that none adds or
   * confirms another one until this one ends.
   */
  holdCurrent(): Promise<FeeSchedule | undefined>;
  /** Returns the newest that a person confirmed, or that a run up to `runId` stored. */
  upTo(runId: string): Promise<FeeSchedule | undefined>;
  /** Adds a schedule and returns its id. */
  add(schedule: NewSchedule): Promise<string>;
  /** Confirms a schedule. A confirmed one fails with `duplicate_key`. */
  confirm(id: string, by: { readonly name: string; readonly reason: string; readonly at: Instant }): Promise<void>;
}

/** The value of `run_id` for given schedules: the column is not null, because only runs used to write schedules. */
const NO_RUN = '';

export function openFeeSchedules(session: Session): FeeSchedules {
  const schedules = (): ReturnType<Session> =>
    session('payout_fee_schedules as f')
      .leftJoin('payout_fee_confirmations as c', 'c.schedule_id', 'f.id')
      .select(...SCHEDULE.columns('f'), ...CONFIRMATION.columns('c'));
  const first = (some: ReturnType<Session>): Promise<FeeSchedule | undefined> =>
    CONFIRMED_SCHEDULE.first(some.orderBy('f.id', 'desc').limit(1));
  return {
    list: ({ after: from, limit }) =>
      pageByKey<FeeSchedule, FeeScheduleKey>({
        read: (after, count) =>
          CONFIRMED_SCHEDULE.all(afterKey(session, schedules(), { columns: ['f.id'], order: 'desc', after }, count)),
        keyOf: ({ id }) => [id],
        ...{ after: from, limit },
      }),
    current: () => first(schedules()),
    async holdCurrent() {
      await takeTurn(session, 'payout_fee_schedules');
      return first(schedules());
    },
    upTo: (runId) => first(schedules().whereRaw('(f.run_id <= ? or c.confirmed_by is not null)', [runId])),
    async add({ rules, lineIds, firstDate, lastDate, runId, recordedAt, recordedBy }) {
      const id = newId();
      await session('payout_fee_schedules').insert({
        ...SCHEDULE.write({ id, rules, lineIds, firstDate, lastDate, recordedAt }),
        run_id: runId ?? NO_RUN,
        recorded_by: recordedBy,
      });
      return id;
    },
    async confirm(id, { name, reason, at }) {
      await session('payout_fee_confirmations').insert({
        schedule_id: id,
        ...CONFIRMATION.write({ confirmedBy: name, confirmedAt: at }),
        reason,
      });
    },
  };
}
