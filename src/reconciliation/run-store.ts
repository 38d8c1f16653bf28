import { optionalText, rowsOf, type Session } from '../db';
import type { BusinessDate, Instant } from '../kernel';

export interface LastRun {
  readonly id: string;
  readonly digest: string;
  readonly at: Instant;
  /** The latest day that any run covered, which need not be that of the last run. */
  readonly furthest: BusinessDate;
}

/** What a run knew, and the digests by which its repetition is compared. */
export interface RunInputs {
  /** The highest `recorded_at` that it saw. */
  readonly knownUntil: Instant;
  /** The lines of the bank that it was to explain, whenever their statements had come or had been accepted. */
  readonly openLineIds: readonly string[] | undefined;
  /** Of fees, calendar, limits and the version of the engine. */
  readonly settingsDigest: string;
  readonly requestDigest: string;
  readonly answerDigest: string;
  readonly engineVersion: string;
  /** The fee rules that it was given, as JSON; undefined when it had to learn them. */
  readonly fees: string | undefined;
  /** Whether a person had confirmed them: otherwise the run might learn others. */
  readonly feesConfirmed: boolean;
  readonly errorMax: number;
  readonly horizon: BusinessDate;
}

export interface NewRun {
  readonly id: string;
  readonly through: BusinessDate;
  readonly digest: string;
  readonly verdict: string;
  readonly summary: unknown;
  /** When it began to read what it knows. */
  readonly at: Instant;
  readonly recordedBy: string;
  readonly inputs: RunInputs;
}

/** A run on record, without what it knew. */
export interface ListedRun {
  readonly id: string;
  readonly through: BusinessDate;
  readonly verdict: string;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

export interface StoredRun {
  readonly id: string;
  readonly through: BusinessDate;
  readonly verdict: string;
  readonly recordedAt: Instant;
  readonly inputs: RunInputs;
}

/** The records of runs inside one transaction of the database. */
export interface RunStore {
  last(): Promise<LastRun | undefined>;
  /** The id of the last one before another; the empty text when there is none, which is before each id. */
  lastIdBefore(runId: string): Promise<string>;
  /** The same, and no other run may end until the transaction does. */
  holdLast(): Promise<LastRun | undefined>;
  /** The newest first. */
  list(limit: number): Promise<ListedRun[]>;
  /** Undefined for an unknown run, and for one of a version that did not keep what it knew. */
  find(id: string): Promise<StoredRun | undefined>;
  add(run: NewRun): Promise<void>;
}

export function openRunStore(session: Session): RunStore {
  const newest = (): ReturnType<Session> =>
    session('recon_runs as r').select('r.id', 'r.digest', 'r.recorded_at').orderBy('r.id', 'desc').limit(1);

  async function last(): Promise<LastRun | undefined> {
    const [row] = await rowsOf(newest());
    if (row === undefined) return undefined;
    const [furthest] = await rowsOf(session('recon_runs as r').max('r.through as through'));
    return {
      id: row['id'] as string,
      digest: row['digest'] as string,
      at: Number(row['recorded_at']),
      furthest: furthest?.['through'] as BusinessDate,
    };
  }

  return {
    last,
    async lastIdBefore(runId) {
      const [row] = await rowsOf(session('recon_runs as r').max('r.id as id').where('r.id', '<', runId));
      return optionalText(row?.['id']) ?? '';
    },
    async holdLast() {
      // The row that the runs before us hold, if any: when they let it go, what they added is read.
      await rowsOf(newest().forUpdate());
      return last();
    },
    async list(limit) {
      const rows = await rowsOf(
        session('recon_runs as r')
          .select('r.id', 'r.through', 'r.verdict', 'r.recorded_at', 'r.recorded_by')
          .orderBy('r.id', 'desc')
          .limit(limit),
      );
      return rows.map((row) => ({
        id: row['id'] as string,
        through: row['through'] as BusinessDate,
        verdict: row['verdict'] as string,
        recordedAt: Number(row['recorded_at']),
        recordedBy: row['recorded_by'] as string,
      }));
    },
    async find(id) {
      const [row] = await rowsOf(
        session('recon_runs as r')
          .join('recon_run_inputs as n', 'n.run_id', 'r.id')
          .leftJoin('recon_run_lines as l', 'l.run_id', 'r.id')
          .select('r.id', 'r.through', 'r.verdict', 'r.recorded_at')
          .select('n.known_until', 'n.settings_digest', 'n.request_digest')
          .select('n.answer_digest', 'n.engine_version', 'n.fees', 'n.fees_confirmed', 'n.error_max', 'n.horizon')
          .select('l.line_ids')
          .where('r.id', id),
      );
      if (row === undefined) return undefined;
      return {
        id: row['id'] as string,
        through: row['through'] as BusinessDate,
        verdict: row['verdict'] as string,
        recordedAt: Number(row['recorded_at']),
        inputs: {
          knownUntil: Number(row['known_until']),
          openLineIds: toLineIds(row['line_ids']),
          settingsDigest: row['settings_digest'] as string,
          requestDigest: row['request_digest'] as string,
          answerDigest: row['answer_digest'] as string,
          engineVersion: row['engine_version'] as string,
          fees: optionalText(row['fees']),
          feesConfirmed: Number(row['fees_confirmed']) === 1,
          errorMax: Number(row['error_max']),
          horizon: row['horizon'] as BusinessDate,
        },
      };
    },
    async add({ id, through, digest, verdict, summary, at, recordedBy, inputs }) {
      await session('recon_runs').insert({
        id,
        through,
        digest,
        verdict,
        summary: JSON.stringify(summary),
        recorded_at: at,
        recorded_by: recordedBy,
      });
      await session('recon_run_inputs').insert({
        run_id: id,
        known_until: inputs.knownUntil,
        settings_digest: inputs.settingsDigest,
        request_digest: inputs.requestDigest,
        answer_digest: inputs.answerDigest,
        engine_version: inputs.engineVersion,
        fees: inputs.fees ?? null,
        fees_confirmed: inputs.feesConfirmed ? 1 : 0,
        error_max: String(inputs.errorMax),
        horizon: inputs.horizon,
      });
      const { openLineIds = [] } = inputs;
      await session('recon_run_lines').insert({ run_id: id, line_ids: openLineIds.join(LINE_ID_SEPARATOR) });
    },
  };
}

const LINE_ID_SEPARATOR = ' ';

/** Undefined of a run that was recorded before its lines were noted. */
function toLineIds(column: unknown): readonly string[] | undefined {
  return optionalText(column)
    ?.split(LINE_ID_SEPARATOR)
    .filter((each) => each !== '');
}
