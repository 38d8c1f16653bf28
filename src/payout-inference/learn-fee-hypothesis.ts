import { hasRefunds, isClear, LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import { inferModel, modelsOf } from './infer-model';
import type { CardRule } from './learn-card-rule';
import { learnFeeChange } from './learn-fee-change';
import { type LearnedTerms, learnFees, type LearnRequest } from './learn-fees';
import { likelyStarts } from './likely-starts';
import type { ModelAnswer, StreamAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';
import { type Learned, learnRequest, rulesOf, SURE, withBest } from './stream-fees';

/** The number of fee changes that are learned within one file. */
const FEE_CHANGES_MAX = 3;
/** The limit on the work for one file, in steps of about 20 ns. */
const STEPS_MAX = 80_000_000;
/** A stream whose payouts without a fee hold this share of its items has none. */
const COVERED_MIN = 0.5;

export interface LearnedFeeHypothesis {
  readonly learned: Learned | undefined;
  /** Whether the bound on the work stopped the search before all of the grid was tried. */
  readonly isCutShort: boolean;
}

/** The best answer of a model so far, with the fees learned for it. */
interface ModelSearch {
  readonly bare: ModelAnswer;
  best: Learned;
}

interface StreamSearch {
  readonly model: ModelSearch;
  readonly request: LearnRequest;
  readonly next: () => IteratorResult<readonly LearnedTerms[], void>;
}

/** Learns the fees of each stream separately, then the fees after a change. */
export function learnFeeHypothesis(
  file: PreparedFile,
  plain: ModelAnswer | undefined,
  firstRule: CardRule | undefined,
): LearnedFeeHypothesis {
  let open = openSearches(file, modelsToLearn(file, plain, firstRule));
  let steps = 0;
  let best: Learned | undefined;
  while (open.length > 0 && steps <= STEPS_MAX && !isClear(file, best?.answer)) {
    // The stream with the least work so far comes next.
    const search = open.reduce((a, b) => (b.request.budget.left > a.request.budget.left ? b : a));
    const { model, request } = search;
    const before = request.budget.left;
    const { done, value } = search.next();
    steps += before - request.budget.left;
    const learned = value === undefined ? undefined : learnStream(file, search, value);
    if (learned !== undefined) {
      model.best = learned;
      if (best === undefined || learned.answer.logEvidence > best.answer.logEvidence) best = learned;
    }
    if (learned !== undefined || done === true) open = open.filter((other) => other !== search);
  }
  const isCutShort = open.length > 0 && steps > STEPS_MAX;
  return { learned: best === undefined ? undefined : withChanges(file, withClawback(file, best)), isCutShort };
}

/** Returns the answers of the models without fees. If credits without a fee prove a model, only this one. */
function modelsToLearn(
  file: PreparedFile,
  plain: ModelAnswer | undefined,
  firstRule: CardRule | undefined,
): ModelSearch[] {
  const cardRule = plain?.hypothesis.cardRule ?? firstRule;
  const isProven = plain !== undefined && plain.logEvidence > LOG_EVIDENCE_OF_LEARNED_MIN;
  const models = isProven ? [plain.hypothesis.model] : modelsOf(file);
  return models.map((model) => {
    const isPlain = plain !== undefined && plain.hypothesis.model === model;
    const bare = isPlain ? plain : inferModel(file, { model, cardRule, fees: { rules: [], clawback: 'kept' } });
    return { bare, best: { answer: bare, accidentError: 0 } };
  });
}

/** Returns a search for each stream of the models. Streams of the same channels hold the same items. */
function openSearches(file: PreparedFile, models: readonly ModelSearch[]): StreamSearch[] {
  const searches = new Map<string, StreamSearch>();
  for (const search of models.flatMap((model) => streamSearches(file, model))) {
    const channels = JSON.stringify(search.request.channelSets[0]);
    if (!searches.has(channels)) searches.set(channels, search);
  }
  return [...searches.values()];
}

function streamSearches(file: PreparedFile, model: ModelSearch): StreamSearch[] {
  const isFree = (stream: StreamAnswer): boolean =>
    stream.weighed.logEvidence > LOG_EVIDENCE_OF_LEARNED_MIN && coveredShare(stream) >= COVERED_MIN;
  const free = model.bare.streams.filter(isFree);
  const taken = new Set(
    free.flatMap(({ weighed }) => weighed.links.flatMap(({ share, credit }) => (share > SURE ? [credit.index] : []))),
  );
  const credits = file.credits.filter(({ index }) => !taken.has(index));
  return model.bare.streams
    .filter((stream) => !free.includes(stream))
    .map((stream) => {
      const starts = likelyStarts(stream.sequence, credits);
      const request = learnRequest(file, stream, { credits, budget: { left: STEPS_MAX }, starts });
      const search = learnFees(request);
      return { model, request, next: () => search.next() };
    });
}

/** Returns the share of a stream's items that its likely links hold. */
function coveredShare({ sequence, weighed }: StreamAnswer): number {
  const covered = weighed.links.reduce((sum, { from, to, share }) => sum + share * (to - from), 0);
  return covered / Math.max(1, sequence.size);
}

/** Adds the rules of the best candidate to the answer of a model, if it is proven. */
function learnStream(
  file: PreparedFile,
  { model: { best }, request }: StreamSearch,
  candidates: readonly LearnedTerms[],
): Learned | undefined {
  const { rules } = best.answer.hypothesis.fees;
  return withBest(
    file,
    best,
    candidates.map((terms) => ({ request, fees: { clawback: terms.clawback, rules: [...rules, ...rulesOf(terms)] } })),
  );
}

function withClawback(file: PreparedFile, best: Learned): Learned {
  const { hypothesis, logEvidence } = best.answer;
  if (hypothesis.fees.clawback === 'returned' || !hasRefunds(file)) return best;
  const answer = inferModel(file, { ...hypothesis, fees: { ...hypothesis.fees, clawback: 'returned' } });
  return answer.logEvidence > logEvidence ? { ...best, answer } : best;
}

function withChanges(file: PreparedFile, learned: Learned): Learned {
  let best = learned;
  for (let change = 0; change < FEE_CHANGES_MAX && !isClear(file, best.answer); change += 1) {
    const changed = learnFeeChange(file, best);
    if (changed === undefined) break;
    best = changed;
  }
  return best;
}
