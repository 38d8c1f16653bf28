import { addDays, millimes } from '../kernel';
import { betterOf, hasRefunds, isClear, LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import type { LearnBudget } from './fee-runs';
import { inferModel, modelsOf } from './infer-model';
import type { CardRule } from './learn-card-rule';
import { type LearnedTerms, learnFees, type LearnRequest } from './learn-fees';
import { likelyStarts } from './likely-starts';
import { type Channel, CHANNELS, type FeeRule } from './match-request';
import type { ModelAnswer, StreamAnswer } from './model-answer';
import { WINDOW_MS } from './order-streams';
import type { PreparedFile } from './prepare-file';

/** The number of fee changes that are learned within one file. */
const FEE_CHANGES_MAX = 1;
/** The limit on the work for one file. */
const STEPS_MAX = 200_000_000;
/** A stream whose payouts without a fee hold this share of its items has none. */
const COVERED_MIN = 0.5;
/** A link with this share of the paths is sure enough to take its credit from other streams. */
const SURE = 0.9;

export interface LearnedFeeHypothesis {
  readonly answer: ModelAnswer | undefined;
  /** Whether the bound on the work stopped the search before all of the grid was tried. */
  readonly isCutShort: boolean;
}

/** The best answer of a model so far, with the fees learned for it. */
interface ModelSearch {
  readonly bare: ModelAnswer;
  best: ModelAnswer;
}

interface StreamSearch {
  readonly model: ModelSearch;
  readonly next: () => IteratorResult<readonly LearnedTerms[], void>;
  readonly budget: LearnBudget;
}

/** Learns the fees of each stream separately, then the fees after a change. */
export function learnFeeHypothesis(
  file: PreparedFile,
  plain: ModelAnswer | undefined,
  firstRule: CardRule | undefined,
): LearnedFeeHypothesis {
  const searches = modelsToLearn(file, plain, firstRule).flatMap((model) => streamSearches(file, model));
  let steps = 0;
  let best: ModelAnswer | undefined;
  let open = searches;
  while (open.length > 0 && steps <= STEPS_MAX && !isClear(file, best)) {
    // The stream with the least work so far comes next.
    const search = open.reduce((a, b) => (b.budget.left > a.budget.left ? b : a));
    const before = search.budget.left;
    const { done, value } = search.next();
    steps += before - search.budget.left;
    const isLearned = value !== undefined && value.length > 0 && learnStream(file, search.model, value);
    if (isLearned) best = betterOf(best, search.model.best);
    if (isLearned || done === true) open = open.filter((other) => other !== search);
  }
  const isCutShort = open.length > 0 && steps > STEPS_MAX;
  if (best !== undefined) best = withClawback(file, best);
  for (let change = 0; change < FEE_CHANGES_MAX && best !== undefined && !isClear(file, best); change += 1) {
    best = betterOf(best, learnChange(file, best));
  }
  return { answer: best, isCutShort };
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
    return { bare, best: bare };
  });
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
      const budget = { left: STEPS_MAX };
      const search = learnFees(
        learnRequest(file, stream, { credits, budget, starts: likelyStarts(stream.sequence, credits) }),
      );
      return { model, budget, next: () => search.next() };
    });
}

/** Returns the share of a stream's items that its likely links hold. */
function coveredShare({ sequence, weighed }: StreamAnswer): number {
  const covered = weighed.links.reduce((sum, { from, to, share }) => sum + share * (to - from), 0);
  return covered / Math.max(1, sequence.size);
}

/** Adds the rules of the best candidate to the answer of a model, if it is proven. Returns whether it was. */
function learnStream(file: PreparedFile, model: ModelSearch, candidates: readonly LearnedTerms[]): boolean {
  const { hypothesis, logEvidence } = model.best;
  let best: ModelAnswer | undefined;
  for (const candidate of candidates) {
    const rules = [...hypothesis.fees.rules, ...rulesOf(candidate)];
    best = betterOf(best, inferModel(file, { ...hypothesis, fees: { rules, clawback: candidate.clawback } }));
  }
  if (best === undefined || best.logEvidence < logEvidence + LOG_EVIDENCE_OF_LEARNED_MIN) return false;
  model.best = best;
  return true;
}

function withClawback(file: PreparedFile, best: ModelAnswer): ModelAnswer {
  const { hypothesis } = best;
  if (hypothesis.fees.clawback === 'returned' || !hasRefunds(file)) return best;
  return (
    betterOf(best, inferModel(file, { ...hypothesis, fees: { ...hypothesis.fees, clawback: 'returned' } })) ?? best
  );
}

function learnRequest(
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

/** Learns a change of fees after the last sure cut: each later day is tried as the first with new terms. */
function learnChange(file: PreparedFile, before: ModelAnswer): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const stream of before.streams) {
    const sure = stream.weighed.links.filter(({ share }) => share > SURE);
    const last = sure.reduce<(typeof sure)[number] | undefined>(
      (l, link) => (l === undefined || link.to > l.to ? link : l),
      undefined,
    );
    const first = sure.reduce<(typeof sure)[number] | undefined>(
      (l, link) => (l === undefined || link.to < l.to ? link : l),
      undefined,
    );
    if (last === undefined || first === undefined) continue;
    const explained = new Set(sure.map(({ credit }) => credit.index));
    const later = file.credits.filter(({ latest, index }) => latest > last.cutFrom && !explained.has(index));
    const request = learnRequest(file, stream, { credits: later, budget: { left: STEPS_MAX }, starts: [last.to] });
    for (const candidate of firstLearned(request)) {
      const from = addDays(file.grid.dateOf(file.grid.dayOf(last.cutFrom)), 1);
      const tried = inferModel(file, {
        ...before.hypothesis,
        fees: {
          ...before.hypothesis.fees,
          rules: [...before.hypothesis.fees.rules, ...rulesOf(candidate).map((rule) => ({ ...rule, from }))],
        },
      });
      best = betterOf(best, tried);
    }
  }
  return best;
}

function firstLearned(request: LearnRequest): readonly LearnedTerms[] {
  for (const candidates of learnFees(request)) if (candidates.length > 0) return candidates;
  return [];
}

function rulesOf({ terms, basis, channels }: LearnedTerms): FeeRule[] {
  return channels.map((channel) => ({
    channel,
    ratePpm: terms.ratePpm,
    fixedMillimes: millimes(terms.fixedMillimes),
    tvaPpm: terms.tvaPpm,
    rounding: terms.rounding,
    basis,
  }));
}
