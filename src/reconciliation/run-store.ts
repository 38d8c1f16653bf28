import { afterKey, column, type Decoded, rowCodec, rowsOf, type Session, takeTurn } from '../db';
import { assert, type BusinessDate, type Instant, type Page, pageByKey } from '../kernel';
import type { StoredAnswer } from './credit-answer';

const LINE_ID_SEPARATOR = ' ';

const LISTED_RUN = rowCodec({
  id: column.text('id'),
  through: column.businessDate('through'),
  verdict: column.text('verdict'),
  recordedAt: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
});
const { recordedBy: _recordedBy, ...STORED_FIELDS } = LISTED_RUN.fields;
const STORED_RUN = rowCodec(STORED_FIELDS);
const NEWEST_RUN = rowCodec({ id: STORED_FIELDS.id, digest: column.text('digest'), at: column.number('recorded_at') });
const FURTHEST = rowCodec({ furthest: column.businessDate('through') });
const LATEST_ID = rowCodec({ id: column.optional(column.text('id')) });

const INPUTS = rowCodec({
  /** The highest `recorded_at` that the run read. */
  knownUntil: column.number('known_until'),
  /** The digest of fees, calendar, limits and the version of the engine. */
  settingsDigest: column.text('settings_digest'),
  requestDigest: column.text('request_digest'),
  answerDigest: column.text('answer_digest'),
  engineVersion: column.text('engine_version'),
  /** The given fee rules, as JSON; undefined if the run had to learn them. */
  fees: column.optional(column.text('fees')),
  /** Whether a person had confirmed them; otherwise the run could learn others. */
  feesConfirmed: column.flag('fees_confirmed'),
  errorMax: column.printedNumber('error_max'),
  horizon: column.businessDate('horizon'),
});
/**
 * The bank lines that the run had to explain, independent of when their statements were imported or accepted. Null for a
 * run that was recorded by a version that stored no lines.
 */
const LINES = rowCodec({
  openLineIds: column.optional<readonly string[]>({
    name: 'line_ids',
    read: (value) =>
      String(value)
        .split(LINE_ID_SEPARATOR)
        .filter((each) => each !== ''),
    write: (lineIds) => lineIds.join(LINE_ID_SEPARATOR),
  }),
});

const LAST_ANSWERS = rowCodec({
  id: STORED_FIELDS.id,
  through: STORED_FIELDS.through,
  // Runs of earlier versions stored none.
  answers: column.json('summary', (summary) => (summary as { readonly answers?: readonly StoredAnswer[] }).answers),
});

/** The sums of a run. Runs of earlier versions did not store all of them. */
export interface RunSummary {
  readonly model?: string | null;
  readonly pendingMillimes?: number | string;
  readonly matchedMillimes?: number | string;
  readonly breaks?: number;
  readonly decided?: number;
  readonly matched?: number;
}

const SHOWN_RUN = rowCodec({
  ...LISTED_RUN.fields,
  summary: column.json('summary', (value): RunSummary => {
    const { answers: _answers, ...summary } = value as RunSummary & { readonly answers?: unknown };
    return summary;
  }),
});
const INPUTS_OF = rowCodec({ inputsOf: column.optional(column.text('run_id')) });

/** A run on record with its sums. */
export interface ShownRun extends ListedRun {
  readonly summary: RunSummary;
  /** Whether it stored the inputs that a replay needs. */
  readonly isReplayable: boolean;
}

/** A run, and what it answered about the credits that it did not match. */
export interface AnswersOfRun {
  readonly id: string;
  readonly through: BusinessDate;
  readonly answers: readonly StoredAnswer[];
}

export interface LastRun {
  readonly id: string;
  readonly digest: string;
  readonly at: Instant;
  /** The latest day that any run covered; the last run may have covered an earlier one. */
  readonly furthest: BusinessDate;
}

/** The inputs of a run, and the digests by which its replay is compared. */
export type RunInputs = Decoded<typeof INPUTS> & Decoded<typeof LINES>;

export interface NewRun {
  readonly id: string;
  readonly through: BusinessDate;
  readonly digest: string;
  readonly verdict: string;
  readonly summary: object;
  /** Stored with the summary. */
  readonly answers: readonly StoredAnswer[];
  /** When it began to read its facts. */
  readonly at: Instant;
  readonly recordedBy: string;
  readonly inputs: RunInputs;
}

/** A run on record, without its inputs. */
export type ListedRun = Decoded<typeof LISTED_RUN>;

/** The id of a run. Ids rise from run to run. */
export type RunKey = readonly [id: string];

export interface RunQuery {
  readonly after?: RunKey | undefined;
  readonly limit: number;
}

export type CoveringRun = Decoded<typeof STORED_RUN> & Decoded<typeof LINES>;

export interface StoredRun extends Decoded<typeof STORED_RUN> {
  readonly inputs: RunInputs;
}

/** Reads and appends the records of runs inside one transaction of the database. */
export interface RunStore {
  last(): Promise<LastRun | undefined>;
  /** Returns the id of the last run before another one; without one the empty text, which sorts before every id. */
  lastIdBefore(runId: string): Promise<string>;
  /** Returns the last run and locks it: no other run ends before this transaction does. */
  holdLast(): Promise<LastRun | undefined>;
  /** Returns the last run that covered a day, or a later one, and began at `since` or later. */
  lastCovering(date: BusinessDate, since: Instant): Promise<CoveringRun | undefined>;
  /** Returns the unmatched lines that a run read; undefined if it stored none. */
  linesOf(runId: string): Promise<readonly string[] | undefined>;
  /** Returns the answers of the last run about the credits that it did not match; undefined if it stored none. */
  lastAnswers(): Promise<AnswersOfRun | undefined>;
  /** Returns a page of runs, newest first. */
  list(query: RunQuery): Promise<Page<ListedRun, RunKey>>;
  /** Returns a run with its sums. */
  show(id: string): Promise<ShownRun | undefined>;
  /** Returns a run; undefined if it is unknown, or of a version that stored no inputs. */
  find(id: string): Promise<StoredRun | undefined>;
  add(run: NewRun): Promise<void>;
}

export function openRunStore(session: Session): RunStore {
  const newest = (): ReturnType<Session> =>
    session('recon_runs as r').select(NEWEST_RUN.columns('r')).orderBy('r.id', 'desc').limit(1);

  async function last(): Promise<LastRun | undefined> {
    const run = await NEWEST_RUN.first(newest());
    if (run === undefined) return undefined;
    const [row] = await FURTHEST.all(session('recon_runs as r').max('r.through as through'));
    assert(row !== undefined, 'a query of a maximum returns one row');
    return { ...run, ...row };
  }

  return {
    last,
    async lastIdBefore(runId) {
      const latest = await LATEST_ID.first(session('recon_runs as r').max('r.id as id').where('r.id', '<', runId));
      return latest?.id ?? '';
    },
    async holdLast() {
      await takeTurn(session, 'recon_runs');
      return last();
    },
    lastCovering: (date, since) => lastCovering(session, date, since),
    async linesOf(runId) {
      const lines = await LINES.first(
        session('recon_run_lines as l').select(LINES.columns('l')).where('l.run_id', runId),
      );
      return lines?.openLineIds;
    },
    async lastAnswers() {
      const run = await LAST_ANSWERS.first(
        session('recon_runs as r').select(LAST_ANSWERS.columns('r')).orderBy('r.id', 'desc').limit(1),
      );
      return run?.answers === undefined ? undefined : { ...run, answers: run.answers };
    },
    list: (query) => listRuns(session, query),
    show: (id) => show(session, id),
    find: (id) => find(session, id),
    async add({ id, through, digest, verdict, summary, answers, at, recordedBy, inputs }) {
      await session('recon_runs').insert({
        ...LISTED_RUN.write({ id, through, verdict, recordedAt: at, recordedBy }),
        digest,
        summary: JSON.stringify({ ...summary, answers }),
      });
      await session('recon_run_inputs').insert({ run_id: id, ...INPUTS.write(inputs) });
      const { openLineIds = [] } = inputs;
      await session('recon_run_lines').insert({ run_id: id, ...LINES.write({ openLineIds }) });
    },
  };
}

async function show(session: Session, id: string): Promise<ShownRun | undefined> {
  const [row] = await rowsOf(
    session('recon_runs as r')
      .leftJoin('recon_run_inputs as n', 'n.run_id', 'r.id')
      .select(...SHOWN_RUN.columns('r'), ...INPUTS_OF.columns('n'))
      .where('r.id', id),
  );
  if (row === undefined) return undefined;
  return { ...SHOWN_RUN.read(row), isReplayable: INPUTS_OF.read(row).inputsOf !== undefined };
}

async function find(session: Session, id: string): Promise<StoredRun | undefined> {
  const [row] = await rowsOf(
    session('recon_runs as r')
      .join('recon_run_inputs as n', 'n.run_id', 'r.id')
      .leftJoin('recon_run_lines as l', 'l.run_id', 'r.id')
      .select(...STORED_RUN.columns('r'), ...INPUTS.columns('n'), ...LINES.columns('l'))
      .where('r.id', id),
  );
  if (row === undefined) return undefined;
  return { ...STORED_RUN.read(row), inputs: { ...INPUTS.read(row), ...LINES.read(row) } };
}

function listRuns(session: Session, { after: first, limit }: RunQuery): Promise<Page<ListedRun, RunKey>> {
  return pageByKey<ListedRun, RunKey>({
    read: (after, count) => {
      const query = session('recon_runs as r').select(LISTED_RUN.columns('r'));
      return LISTED_RUN.all(afterKey(session, query, { columns: ['r.id'], order: 'desc', after }, count));
    },
    keyOf: ({ id }) => [id],
    ...{ after: first, limit },
  });
}

async function lastCovering(session: Session, date: BusinessDate, since: Instant): Promise<CoveringRun | undefined> {
  const [row] = await rowsOf(
    session('recon_runs as r')
      .leftJoin('recon_run_lines as l', 'l.run_id', 'r.id')
      .select(...STORED_RUN.columns('r'), ...LINES.columns('l'))
      .where('r.through', '>=', date)
      .where('r.recorded_at', '>=', since)
      .orderBy('r.id', 'desc')
      .limit(1),
  );
  return row === undefined ? undefined : { ...STORED_RUN.read(row), ...LINES.read(row) };
}
