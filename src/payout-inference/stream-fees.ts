import { millimes } from '../kernel';
import { accidentErrorAmong } from './chosen-hypothesis';
import { hasRefunds, LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import { inferModel } from './infer-model';
import { hypothesesOf, type LearnedTerms, type LearnRequest } from './learn-fees';
import { type Channel, CHANNELS, type FeeRule } from './match-request';
import type { ModelAnswer, StreamAnswer } from './model-answer';
import { WINDOW_MS } from './order-streams';
import type { PreparedFile } from './prepare-file';
import type { FeeHypothesis } from './price-stream';

/** Fees are learned if chance reaches their evidence at most this often; beside proven ones, less often. */
const ACCIDENT_MAX = 5e-3;
const FURTHER_ACCIDENT_MAX = 1e-4;
/** A link with this share of the paths is sure enough to take its credit from other streams. */
export const SURE = 0.9;

/** An answer with learned fees. */
export interface Learned {
  readonly answer: ModelAnswer;
  /** The probability that chance alone explains what the learned fees explain. */
  readonly accidentError: number;
}

/** Returns the search for the fees of a stream. */
export function learnRequest(
  file: PreparedFile,
  { sequence }: StreamAnswer,
  own: Pick<LearnRequest, 'credits' | 'budget' | 'starts'>,
): LearnRequest {
  const present = new Set(sequence.channel);
  return {
    ...own,
    sequence,
    windowMs: WINDOW_MS,
    channelSets: channelSets(CHANNELS.filter((_, channel) => present.has(channel))),
    clawbacks: hasRefunds(file) ? ['kept', 'returned'] : ['kept'],
  };
}

/** Returns the sets of channels that may share terms: all, one alone, or all but one. */
function channelSets(present: readonly Channel[]): (readonly Channel[])[][] {
  if (present.length <= 1) return [[present]];
  const oneAlone = present.map((channel) => [channel]);
  if (present.length === 2) return [[present], oneAlone];
  return [[present], oneAlone, present.map((channel) => present.filter((other) => other !== channel))];
}

/** Adds the best candidate to an answer if it explains more than chance does among all terms of the search. */
export function withBest(
  file: PreparedFile,
  before: Learned,
  candidates: readonly { readonly fees: FeeHypothesis; readonly request: LearnRequest }[],
): Learned | undefined {
  let best: Learned | undefined;
  for (const { fees, request } of candidates) {
    const answer = inferModel(file, { ...before.answer.hypothesis, fees });
    if (best !== undefined && answer.logEvidence <= best.answer.logEvidence) continue;
    best = {
      answer,
      accidentError: accidentErrorAmong(hypothesesOf(request), answer.logEvidence - before.answer.logEvidence),
    };
  }
  const isProven = before.answer.logEvidence > LOG_EVIDENCE_OF_LEARNED_MIN;
  if (best === undefined || best.accidentError > (isProven ? FURTHER_ACCIDENT_MAX : ACCIDENT_MAX)) return undefined;
  return { ...best, accidentError: before.accidentError + best.accidentError };
}

export function rulesOf({ terms, basis, channels }: LearnedTerms): FeeRule[] {
  return channels.map((channel) => ({
    channel,
    ratePpm: terms.ratePpm,
    fixedMillimes: millimes(terms.fixedMillimes),
    tvaPpm: terms.tvaPpm,
    rounding: terms.rounding,
    basis,
  }));
}
