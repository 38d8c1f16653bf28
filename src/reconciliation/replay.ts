import { AppError, type BusinessDate } from '../kernel';
import { type Facts, readFacts } from './facts';
import { readFeeRules } from './fee-rules-json';
import { planRun } from './plan-run';
import { planDeps } from './reconcile';
import type { ReconcileDeps } from './reconcile-deps';
import { ENGINE_VERSION, toRunInputs } from './run-inputs';
import { openRunStore, type RunInputs, type StoredRun } from './run-store';

const REPLAY_DEADLINE_MS = 120_000;

/** The result of repeating a run on its inputs. */
export interface ReplayResult {
  readonly runId: string;
  readonly through: BusinessDate;
  readonly isSame: boolean;
  /** The differing parts: settings, stored facts, or the answer; `engine` if another version of it answers otherwise. */
  readonly differsIn: readonly ('settings' | 'request' | 'answer' | 'engine')[];
  readonly recorded: { readonly engineVersion: string; readonly answerDigest: string };
  readonly repeated: { readonly engineVersion: string; readonly answerDigest: string };
}

/**
 * Repeats a run on the rows that were recorded by then, and compares the digests. Writes nothing.
 *
 * @throws AppError `not_found` for an unknown run, and for a run of a version that stored no inputs.
 */
export async function replayRun(deps: ReconcileDeps, runId: string): Promise<ReplayResult> {
  const [run, facts] = await deps.database.read(
    async (session) => {
      const found = await openRunStore(session).find(runId);
      if (found === undefined) throw new AppError('not_found', { thing: 'run with stored inputs', id: runId });
      const { knownUntil, openLineIds } = found.inputs;
      const asOf = { knownUntil, beforeRunId: runId, readAt: found.recordedAt, openLineIds };
      const { calendar, workingDays } = deps;
      return [found, await readFacts(session, { through: found.through, calendar, workingDays, asOf })] as const;
    },
    { snapshot: true, deadlineMs: REPLAY_DEADLINE_MS },
  );
  const settings = { ...planDeps(deps), maxError: run.inputs.errorMax };
  const repeat = (known: Facts): Promise<RunInputs> =>
    toRunInputs(planRun(asItWas(known, run), settings), settings, run.inputs.engineVersion);
  let inputs = await repeat(facts);
  // Earlier versions did not read the matches of people as evidence.
  if (inputs.requestDigest !== run.inputs.requestDigest && facts.asserted.length > 0) {
    inputs = await repeat({ ...facts, asserted: [] });
  }
  const { settingsDigest, requestDigest, answerDigest } = inputs;
  const hasSameAnswer = answerDigest === run.inputs.answerDigest;
  const differsIn = [
    ...(settingsDigest === run.inputs.settingsDigest ? [] : (['settings'] as const)),
    ...(requestDigest === run.inputs.requestDigest ? [] : (['request'] as const)),
    ...(hasSameAnswer ? [] : (['answer'] as const)),
    ...(hasSameAnswer || run.inputs.engineVersion === ENGINE_VERSION ? [] : (['engine'] as const)),
  ];
  return {
    runId,
    through: run.through,
    isSame: differsIn.length === 0,
    differsIn,
    recorded: { engineVersion: run.inputs.engineVersion, answerDigest: run.inputs.answerDigest },
    repeated: { engineVersion: ENGINE_VERSION, answerDigest },
  };
}

/** Returns the facts with the run's fees and the last covered day at that time. */
function asItWas(facts: Facts, { inputs }: StoredRun): Facts {
  const { fees, feesConfirmed, horizon } = inputs;
  return {
    ...facts,
    coveredThrough: horizon,
    schedule:
      fees === undefined
        ? undefined
        : {
            id: '',
            rules: readFeeRules(fees),
            lineIds: [],
            firstDate: undefined,
            lastDate: undefined,
            recordedAt: 0,
            confirmedBy: feesConfirmed ? '' : undefined,
            confirmedAt: undefined,
          },
  };
}
