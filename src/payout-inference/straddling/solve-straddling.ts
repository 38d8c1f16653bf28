import type { Explanation, ModelAnswer } from '../model-answer';
import type { PreparedFile } from '../prepare-file';
import { combineExplanations } from './combine-explanations';
import { solveStream } from './solve-stream';
import { tracerBounds } from './tracer-bounds';
import { widenedAvailability } from './widened-availability';

/** If the chain explains more than this many times as much as the runs, the runs were chance. */
const TAKES_OVER_TIMES = 2;

/**
 * Solves the credits of each stream again as a chain of cuts. Each item whose interval contains a cut may be in or out.
 * If the runs explained the file as well, both answers are combined: a credit on which they differ is uncertain. The
 * share of an explanation remains a probability.
 */
export function solveStraddling(file: PreparedFile, answer: ModelAnswer): ModelAnswer {
  const availability = widenedAvailability(file, answer.hypothesis);
  const tracers = tracerBounds(file.request, file.bounds);
  const solved = answer.streams.map((stream) => solveStream({ file, answer, stream, availability, tracers }));
  const explained = solved.reduce((sum, { weighed }) => sum + weighed.explained, 0);
  const ofChain = gather(solved.map(({ explanations }) => explanations));
  const isTakenOver = explained > TAKES_OVER_TIMES * answer.explained;
  const logEvidence = solved.reduce((sum, { weighed }) => sum + Math.max(0, weighed.logEvidence), 0);
  const cutShort = new Set([
    ...(isTakenOver ? [] : answer.cutShort),
    ...solved.flatMap(({ weighed }) => [...weighed.cutShort]),
  ]);
  if (!isTakenOver) {
    const errorOf = (credit: number): number =>
      solved.reduce((most, { weighed }) => Math.max(most, weighed.errors.get(credit) ?? 0), 0);
    const ofRuns = new Map(
      [...answer.explanations].map(([credit, found]) => [
        credit,
        found.map((explanation) => ({ ...explanation, share: explanation.share * (1 - errorOf(credit)) })),
      ]),
    );
    return { ...answer, explanations: combineExplanations(ofRuns, ofChain), cutShort };
  }
  return {
    ...answer,
    availability,
    cancelled: [...answer.cancelled, ...solved.flatMap(({ cancelled }) => cancelled)],
    // Runs by chance are no links, so the stretches between them explain no difference.
    streams: answer.streams.map((stream) => ({
      ...stream,
      weighed: { ...stream.weighed, links: [], repairs: [], gaps: [] },
    })),
    logEvidence,
    explained,
    explanations: ofChain,
    cutShort,
  };
}

function gather(streams: readonly ReadonlyMap<number, readonly Explanation[]>[]): Map<number, Explanation[]> {
  const gathered = new Map<number, Explanation[]>();
  for (const explanations of streams) {
    for (const [credit, found] of explanations) gathered.set(credit, [...(gathered.get(credit) ?? []), ...found]);
  }
  for (const found of gathered.values()) found.sort((a, b) => b.share - a.share);
  return gathered;
}
