import { at } from './at';
import { LIKELY } from './contested-credits';
import { otherCuts } from './cut-rates';
import { coldStartOf } from './deviation-rates';
import { explanationsOf } from './explanations-of';
import type { Credit } from './find-links';
import type { WeighRequest } from './learn-links';
import type { PayoutModel, Stream } from './match-request';
import type { Hypothesis, ModelAnswer, StreamAnswer } from './model-answer';
import { type OrderedModel, type OrderedStream, orderStreams, WINDOW_MS } from './order-streams';
import { type PastCuts, pastCutsOf } from './past-cuts';
import type { PreparedFile } from './prepare-file';
import { RIVAL_EFFORT } from './search-links';
import { type WeighedStream, weighLinks } from './weigh-links';

/** The number of rounds in which streams exchange their claims on credits. */
const CLAIM_ROUNDS = 3;
const LOG_EVIDENCE_OF_STREAM_MIN = 6;
/** A stream that keeps less than this share of its evidence beside others has another clock, or lost its credits. */
const KEPT_EVIDENCE_MIN = 0.5;
/** Models whose payouts are runs between cuts. */
export const SWEEP_MODELS = ['sweep-all', 'sweep-per-channel', 'sweep-card-only'] as const;

/** Returns the models, the one of earlier payouts first: if only one channel is left, several models are equivalent. */
export function modelsOf({ request: { history } }: PreparedFile): readonly (typeof SWEEP_MODELS)[number][] {
  const before = SWEEP_MODELS.filter((model) => model === history?.model);
  return [...before, ...SWEEP_MODELS.filter((model) => model !== history?.model)];
}

export function inferModel(file: PreparedFile, hypothesis: Hypothesis): ModelAnswer {
  return weighModel(file, hypothesis, orderStreams(file, hypothesis));
}

/** Returns the answer of a rival hypothesis; undefined if its runs meet too few credits to have much evidence. */
export function inferRival(
  file: PreparedFile,
  hypothesis: Hypothesis,
  { answer, creditsMin }: { readonly answer: ModelAnswer; readonly creditsMin: number },
): ModelAnswer | undefined {
  const availability = hypothesis.cardRule === answer.hypothesis.cardRule ? answer.availability : undefined;
  const model = orderStreams(file, hypothesis, { availability, effort: RIVAL_EFFORT });
  const met = new Set(model.streams.flatMap(({ found }) => found.links.map(({ credit }) => credit.index)));
  return met.size < creditsMin ? undefined : weighModel(file, hypothesis, model);
}

/** Returns a stream of its own, as if no other claimed its credits. */
export function weighAlone(file: PreparedFile, hypothesis: Hypothesis, stream: OrderedStream): StreamAnswer {
  return { ...stream, weighed: weighLinks(weighRequest(file, hypothesis, stream, { streams: [], place: 0 })) };
}

function weighModel(file: PreparedFile, hypothesis: Hypothesis, ordered: OrderedModel): ModelAnswer {
  const { availability, cancelled, streams: orderedStreams } = ordered;
  let streams: StreamAnswer[] = [];
  for (let round = 0; round < (orderedStreams.length > 1 ? CLAIM_ROUNDS : 1); round += 1) {
    const before = streams;
    streams = orderedStreams.map((stream, place) => ({
      ...stream,
      weighed: weighBeside(
        weighRequest(file, hypothesis, stream, { streams: before, place }),
        before[place]?.weighed.logEvidence ?? 0,
      ),
    }));
  }
  return answerOf(file, { hypothesis, availability, cancelled, streams });
}

/**
 * Weighs a stream beside the others, whose cuts are a start for its own rates. A stream with another clock may then seem
 * to be paid nothing. If it explained more before, it is weighed without them, too.
 */
function weighBeside(request: WeighRequest, logEvidenceBefore: number): WeighedStream {
  const beside = weighLinks(request);
  const isPaid = logEvidenceBefore >= LOG_EVIDENCE_OF_STREAM_MIN;
  if (!isPaid || beside.logEvidence >= KEPT_EVIDENCE_MIN * logEvidenceBefore) return beside;
  const alone = weighLinks({ ...request, others: undefined });
  return alone.logEvidence > beside.logEvidence ? alone : beside;
}

/**
 * Returns the same hypothesis with other cut rates of some streams, learned as if their likely links were almost
 * impossible. Each stream learns separately, because the others may have learned the same wrong hour. It may return to
 * the avoided links. If it does not, the file does not show which of the two rates the gateway has.
 */
export function weighOtherwise(file: PreparedFile, answer: ModelAnswer, which: ReadonlySet<number>): ModelAnswer {
  const { hypothesis, availability, cancelled, streams } = answer;
  const otherwise = streams.map((stream, place): StreamAnswer => {
    if (!which.has(place)) return stream;
    const avoided = new Set(
      stream.weighed.links.flatMap(({ share, lacks }, link) => (share > LIKELY && lacks === undefined ? [link] : [])),
    );
    const request = weighRequest(file, hypothesis, stream, { streams, place });
    return { ...stream, weighed: weighLinks({ ...request, others: undefined, avoided }) };
  });
  return answerOf(file, { hypothesis, availability, cancelled, streams: otherwise });
}

function weighRequest(
  file: PreparedFile,
  { model }: Hypothesis,
  { sequence, priced, finder, found }: OrderedStream,
  { streams, place }: { readonly streams: readonly StreamAnswer[]; readonly place: number },
): WeighRequest {
  const claims = claimsOf(streams, file.lines.length);
  const pathsOfOthers = streams.flatMap(({ weighed }, other) =>
    other === place || weighed.logEvidence < LOG_EVIDENCE_OF_STREAM_MIN ? [] : [weighed.paths],
  );
  return {
    sequence,
    priced,
    finder,
    links: found.links,
    chances: found.chances,
    credits: file.creditsOfRuns,
    bounds: file.bounds,
    grid: file.grid,
    windowMs: WINDOW_MS,
    free: ({ index }) => freeOf(claims, index, place),
    horizonDay: file.horizonDay,
    pathsOfOthers,
    coldStart: coldStartOf(pathsOfOthers),
    others: otherCuts(streams.flatMap(({ weighed }, other) => (other === place ? [] : [weighed.counts]))),
    past: pastOf(file, model, sequence.stream),
  };
}

function answerOf(
  file: PreparedFile,
  known: Pick<ModelAnswer, 'hypothesis' | 'availability' | 'cancelled' | 'streams'>,
): ModelAnswer {
  const { hypothesis, streams } = known;
  return {
    ...known,
    logEvidence: streams.reduce((sum, { weighed }) => sum + Math.max(0, weighed.logEvidence), 0),
    explained: explainedOf(streams),
    // If a stream is not paid at all, its chance links explain nothing.
    explanations: explanationsOf(streams.filter((answer) => isPaid(file, hypothesis.model, answer))),
    cutShort: creditsCutShort(streams, file),
  };
}

function pastOf({ request, grid }: PreparedFile, model: PayoutModel, stream: Stream): PastCuts | undefined {
  return request.history?.model === model ? pastCutsOf(request.history, stream, grid) : undefined;
}

/**
 * Returns the approximate number of explained credits, each counted once. Credits that the bank debited back do not
 * count, because other models do not count them.
 */
export function explainedOf(streams: readonly StreamAnswer[]): number {
  const shares = new Map<number, number>();
  const add = ({ index, takenBackDay }: Credit, share: number): void => {
    if (takenBackDay === undefined) shares.set(index, Math.min(1, (shares.get(index) ?? 0) + share));
  };
  for (const { weighed } of streams) {
    for (const { credit, share, lacks } of weighed.links) if (lacks === undefined) add(credit, share);
    for (const { links, share } of weighed.repairs) for (const { credit } of links) add(credit, share);
    for (const { credit, share, lacks } of weighed.deviating) if (lacks === undefined) add(credit, share);
  }
  return [...shares.values()].reduce((sum, share) => sum + share, 0);
}

/** Returns whether a stream is paid. A stream that was paid before needs no further proof. */
function isPaid(file: PreparedFile, model: PayoutModel, { sequence, weighed }: StreamAnswer): boolean {
  const least = pastOf(file, model, sequence.stream) === undefined ? LOG_EVIDENCE_OF_STREAM_MIN : 0;
  return weighed.logEvidence >= least;
}

/** Returns the credits from the time that the search did not reach. */
function creditsCutShort(streams: readonly StreamAnswer[], file: PreparedFile): Set<number> {
  const cutShort = new Set<number>();
  for (const { found, sequence } of streams) {
    if (found.cutShortFrom === undefined) continue;
    const from = at(sequence.key, found.cutShortFrom) - WINDOW_MS;
    for (const { index, latest } of file.creditsOfRuns) if (latest > from) cutShort.add(index);
  }
  return cutShort;
}

/** Returns, by stream, the probability that it took each credit. */
function claimsOf(streams: readonly StreamAnswer[], credits: number): Float64Array[] {
  return streams.map(({ weighed }) => {
    const claims = new Float64Array(credits);
    for (const { credit, share } of weighed.links) {
      claims[credit.index] = Math.min(1, at(claims, credit.index) + share);
    }
    return claims;
  });
}

function freeOf(claims: readonly Float64Array[], credit: number, place: number): number {
  return claims.reduce((free, claim, other) => (other === place ? free : free * (1 - at(claim, credit))), 1);
}
