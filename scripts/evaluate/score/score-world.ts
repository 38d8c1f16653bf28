import { DEFAULT_ERROR_MAX, type Evidence, type MatchResult, PROPOSAL_ERROR_MAX } from '../../../src/payout-inference';
import type { World } from '../world';
import { addDecoys } from './add-decoys';
import { decadesOfWorld, JUDGED_ERROR_MAX } from './calibration';
import type { Engine } from './engine';
import { filesOnly } from './files-only';
import { judgeCredits } from './judge-credits';
import { resolvableLines } from './resolvable';
import { resultDigest } from './result-digest';
import { scoreBreaks } from './score-breaks';
import { payoutKeys, scoreCredits, type ScoredRun } from './score-credits';
import { shuffledFiles } from './shuffled-files';
import { trueBook } from './true-book';
import type { EvidenceCounts, WorldScore } from './world-score';

/**
 * Runs the engine on the files of a world, at every limit, with decoys and in other orders, and only then reads the
 * truth. The time is not that of the first answer, which warms up the compiler.
 */
export async function scoreWorld(world: World, engine: Engine, shuffles: number): Promise<WorldScore> {
  const { scenario, seed } = world;
  const files = filesOnly(world.files);
  const every = await engine.ask({ files, maxError: JUDGED_ERROR_MAX });
  const loose = await engine.ask({ files, maxError: PROPOSAL_ERROR_MAX });
  const strict = await engine.ask({ files, maxError: DEFAULT_ERROR_MAX });
  const digest = resultDigest(strict.result);
  let shufflesDifferent = 0;
  for (let shuffle = 1; shuffle <= shuffles; shuffle += 1) {
    const again = await engine.ask({ files: shuffledFiles(files, shuffle), maxError: DEFAULT_ERROR_MAX });
    if (resultDigest(again.result) !== digest) shufflesDifferent += 1;
  }
  const { truth } = world;
  const decoys = addDecoys(files, truth.lines, seed);
  const withDecoys = await engine.ask({ files: decoys.files, maxError: DEFAULT_ERROR_MAX });

  const book = trueBook(world);
  const resolvable = payoutKeys(resolvableLines(world), book);
  const run = (maxError: number): ScoredRun => ({ scenario, seed, maxError, book, resolvable });
  return {
    scenario,
    seed,
    worlds: 1,
    items: files.items.length,
    credits: files.lines.filter(({ amount }) => amount > 0).length,
    resolvable: resolvable.size,
    strict: scoreCredits(strict.result.credits, run(DEFAULT_ERROR_MAX)),
    loose: scoreCredits(loose.result.credits, run(PROPOSAL_ERROR_MAX)),
    evidence: countEvidence(strict.result),
    // In a guard a reader may do without any explanation, so its breaks are not judged.
    breaks: world.isGuard
      ? {}
      : scoreBreaks(
          strict.result.breaks,
          truth.breaks,
          new Set([...openLines(run(DEFAULT_ERROR_MAX)), ...rightProposals(strict.result, book)]),
        ),
    decoys: decoys.decoyLineIds.size,
    decoysResolved: withDecoys.result.credits.filter(
      ({ lineId, outcome }) => outcome === 'resolved' && decoys.decoyLineIds.has(lineId),
    ).length,
    // The decoys have their own count. This one shows how they affect the other credits.
    withDecoys: scoreCredits(
      withDecoys.result.credits.filter(({ lineId }) => !decoys.decoyLineIds.has(lineId)),
      run(DEFAULT_ERROR_MAX),
    ),
    shuffles,
    shufflesDifferent,
    calibration: decadesOfWorld(every.result.credits, run(JUDGED_ERROR_MAX)),
    tookMs: strict.tookMs,
  };
}

/** Returns the gateway's credits that cannot be resolved. */
function openLines({ book, resolvable }: ScoredRun): ReadonlySet<string> {
  return new Set(
    [...book.lines.values()]
      .filter(({ kind }) => kind !== 'unrelated' && kind !== 'return_debit')
      .map(({ lineId }) => lineId)
      .filter((lineId) => ![...payoutKeys(new Set([lineId]), book)].some((key) => resolvable.has(key))),
  );
}

/** Returns the credits whose proposal is the right answer: above the limit, a proposal is correct. */
function rightProposals({ credits }: MatchResult, book: ScoredRun['book']): string[] {
  return judgeCredits(credits, book)
    .filter(({ proposal }) => proposal === 'right')
    .map(({ credit }) => credit.lineId);
}

function countEvidence({ items }: MatchResult): EvidenceCounts {
  const count = (evidence: Evidence): number =>
    items.filter((item) => item.lineId !== undefined && item.evidence === evidence).length;
  return {
    reported: count('reported'),
    inferred_by_tracer: count('inferred_by_tracer'),
    inferred_by_cut: count('inferred_by_cut'),
    inferred_by_sum: count('inferred_by_sum'),
    asserted: count('asserted'),
  };
}
