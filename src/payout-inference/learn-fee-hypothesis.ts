import { addDays, millimes } from '../kernel';
import { betterOf, hasRefunds, isClear, LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import { type LearnBudget, learnBudget } from './fee-chain';
import { inferModel, modelsOf, WINDOW_MS } from './infer-model';
import type { CardRule } from './learn-card-rule';
import { type LearnedTerms, learnFees } from './learn-fees';
import { type Channel, CHANNELS, type FeeRule } from './match-request';
import type { Hypothesis, ModelAnswer, StreamAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';

/** The number of fee changes that are learned within one file. */
const FEE_CHANGES_MAX = 1;
const STARTS_TRIED = 120;

export interface LearnedFeeHypothesis {
  readonly answer: ModelAnswer | undefined;
  /** Whether the bound on the work stopped the search before all of the grid was tried. */
  readonly isCutShort: boolean;
}

/** Learns the fees of each stream separately, then the fees after a change. */
export function learnFeeHypothesis(
  file: PreparedFile,
  plain: ModelAnswer | undefined,
  firstRule: CardRule | undefined,
): LearnedFeeHypothesis {
  const budget = learnBudget();
  let best: ModelAnswer | undefined;
  for (const model of modelsOf(file)) {
    const cardRule = plain?.hypothesis.cardRule ?? firstRule;
    const base: Hypothesis = { model, cardRule, fees: { rules: [], clawback: 'kept' } };
    const bare = plain !== undefined && plain.hypothesis.model === model ? plain : inferModel(file, base);
    const answer = learnStreams(file, budget, bare);
    if (answer === undefined) continue;
    best = betterOf(best, answer);
    if (isClear(file, best)) break;
  }
  for (let change = 0; change < FEE_CHANGES_MAX && best !== undefined && !isClear(file, best); change += 1) {
    best = betterOf(best, learnChange(file, budget, best));
  }
  return { answer: best, isCutShort: budget.left < 0 };
}

function learnStreams(file: PreparedFile, budget: LearnBudget, bare: ModelAnswer): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  let rules: FeeRule[] = [];
  let clawback = bare.hypothesis.fees.clawback;
  for (const stream of bare.streams) {
    // If the credits of a stream are explained without a fee, it has none.
    if (stream.weighed.logEvidence > LOG_EVIDENCE_OF_LEARNED_MIN) continue;
    const candidates =
      learnFrom(file, budget, stream, [0]) ?? learnFrom(file, budget, stream, spreadStarts(stream)) ?? [];
    let ofStream: ModelAnswer | undefined;
    for (const candidate of candidates) {
      const tried = inferModel(file, {
        ...bare.hypothesis,
        fees: { rules: [...rules, ...rulesOf(candidate)], clawback: candidate.clawback },
      });
      ofStream = betterOf(ofStream, tried);
    }
    if (ofStream === undefined || ofStream.logEvidence <= (best ?? bare).logEvidence) continue;
    best = ofStream;
    rules = [...ofStream.hypothesis.fees.rules];
    clawback = ofStream.hypothesis.fees.clawback;
  }
  if (best !== undefined && clawback === 'kept' && hasRefunds(file)) {
    best = betterOf(best, inferModel(file, { ...best.hypothesis, fees: { rules, clawback: 'returned' } }));
  }
  return best;
}

function learnFrom(
  file: PreparedFile,
  budget: LearnBudget,
  stream: StreamAnswer,
  starts: readonly number[],
  credits = file.credits,
): LearnedTerms[] | undefined {
  const present = [...new Set(stream.sequence.channel)]
    .map((channel) => CHANNELS[channel])
    .filter((channel) => channel !== undefined);
  const learned = learnFees({
    sequence: stream.sequence,
    credits,
    windowMs: WINDOW_MS,
    budget,
    starts,
    channelSets: channelSets(present),
    clawbacks: hasRefunds(file) ? ['kept', 'returned'] : ['kept'],
  });
  return learned.length > 0 ? learned : undefined;
}

/** Returns the sets of channels that may share terms: all, one alone, or all but one. */
function channelSets(present: readonly Channel[]): Channel[][] {
  if (present.length <= 1) return [[...present]];
  const ordered = CHANNELS.filter((channel) => present.includes(channel));
  return [
    ordered,
    ...ordered.map((channel) => [channel]),
    ...(ordered.length > 2 ? ordered.map((channel) => ordered.filter((other) => other !== channel)) : []),
  ];
}

/** Returns the positions where a first payout may begin if the file begins in the middle of one. */
function spreadStarts({ sequence }: StreamAnswer): number[] {
  const starts: number[] = [];
  for (let position = 0; position < sequence.size && starts.length < STARTS_TRIED; position += 1) {
    if (sequence.isBoundary[position] === 1) starts.push(position);
  }
  return starts;
}

/** Learns a change of fees after the last sure cut: each later day is tried as the first with new terms. */
function learnChange(file: PreparedFile, budget: LearnBudget, before: ModelAnswer): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const stream of before.streams) {
    const sure = stream.weighed.links.filter(({ share }) => share > 0.9);
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
    const candidates = learnFrom(file, budget, stream, [last.to], later) ?? [];
    for (const candidate of candidates) {
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
