import { addToGroup } from '../../kernel';
import { logPrior } from '../link-prior';
import { PROPOSAL_ERROR_MAX } from '../match-result';
import type { Explanation, ModelAnswer, StreamAnswer } from '../model-answer';
import type { PreparedFile } from '../prepare-file';
import { combineExplanations } from './combine-explanations';
import { solveStream } from './solve-stream';
import { tracerBounds } from './tracer-bounds';
import { widenedAvailability } from './widened-availability';

/** If the chain explains more than this many times as much as the runs, the runs were chance. */
const TAKES_OVER_TIMES = 2;

/**
 * Solves the credits of the given streams again as a chain of cuts. Each item whose interval contains a cut may be in or
 * out. If the runs explained the file as well, both answers are combined: a credit on which they differ is uncertain.
 * The share of an explanation remains a probability.
 */
export function solveStraddling(
  file: PreparedFile,
  answer: ModelAnswer,
  streams: readonly StreamAnswer[] = answer.streams,
): ModelAnswer {
  if (streams.length === 0) return answer;
  const availability = widenedAvailability(file, answer.hypothesis);
  const tracers = tracerBounds(file.request, file.bounds);
  const ofRuns = weightsOfRuns(answer, file);
  const solved = streams.map((stream) => solveStream({ file, answer, stream, availability, tracers, ofRuns }));
  const explained = solved.reduce((sum, { weighed }) => sum + weighed.explained, 0);
  const ofChain = gather(solved.map(({ explanations }) => explanations));
  const errors = new Map<number, number>();
  for (const { weighed } of solved) {
    for (const [credit, error] of weighed.errors) errors.set(credit, 1 - (1 - (errors.get(credit) ?? 0)) * (1 - error));
  }
  // Below that, the untried part keeps no credit from its proposal.
  const cutShort = [...errors].filter(([, error]) => error > PROPOSAL_ERROR_MAX).map(([credit]) => credit);
  if (explained <= TAKES_OVER_TIMES * answer.explained) {
    const ofTriedRuns = new Map(
      [...answer.explanations].map(([credit, found]) => [
        credit,
        found.map((explanation) => ({ ...explanation, share: explanation.share * (1 - (errors.get(credit) ?? 0)) })),
      ]),
    );
    return {
      ...answer,
      explanations: combineExplanations(ofTriedRuns, ofChain),
      cutShort: new Set([...answer.cutShort, ...cutShort]),
    };
  }
  return {
    ...answer,
    availability,
    cancelled: [...answer.cancelled, ...solved.flatMap(({ cancelled }) => cancelled)],
    // Runs by chance are no links, so the stretches between them explain no difference.
    streams: answer.streams.map((stream) => ({
      ...stream,
      weighed: { ...stream.weighed, links: [], repairs: [], deviating: [], gaps: [] },
    })),
    logEvidence: solved.reduce((sum, { weighed }) => sum + Math.max(0, weighed.logEvidence), 0),
    explained,
    explanations: ofChain,
    cutShort: new Set(cutShort),
  };
}

/** Returns, by the credit's index, the shares of its runs in all streams, each times the probability of its cut. */
function weightsOfRuns({ streams }: ModelAnswer, { grid }: PreparedFile): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { sequence, weighed } of streams) {
    const repaired = weighed.repairs.flatMap(({ links, share }) => links.map((link) => ({ ...link, share })));
    for (const link of [...weighed.links, ...repaired, ...weighed.deviating]) {
      const weight = link.share * Math.exp(logPrior(link, sequence, weighed.cutRates, grid));
      weights.set(link.credit.index, (weights.get(link.credit.index) ?? 0) + weight);
    }
  }
  return weights;
}

function gather(streams: readonly ReadonlyMap<number, readonly Explanation[]>[]): Map<number, Explanation[]> {
  const gathered = new Map<number, Explanation[]>();
  for (const explanations of streams) {
    for (const [credit, found] of explanations) for (const each of found) addToGroup(gathered, credit, each);
  }
  for (const found of gathered.values()) found.sort((a, b) => b.share - a.share);
  return gathered;
}
