import { at } from './at';
import { groupsBefore } from './channel-groups';
import { accidentErrorOf, type Chosen, type NotChosen } from './chosen-hypothesis';
import { betterOf, hasRefunds, isClear, LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import { findGroups } from './find-groups';
import { inferModel, modelsOf, SWEEP_MODELS } from './infer-model';
import type { CardRule } from './learn-card-rule';
import { learnFeeHypothesis } from './learn-fee-hypothesis';
import type { FeeRule } from './match-request';
import type { Hypothesis, ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';
import type { FeeHypothesis } from './price-stream';
import { challenge } from './rival-hypotheses';
import { mayHaveStraddlingItems, straddledStreams } from './straddling/has-straddling-items';
import { solveStraddling } from './straddling/solve-straddling';

/** More evidence than chance reaches among the hypotheses that are always tried. */
const LOG_EVIDENCE_MIN = 8;
/** The number of earlier settled payouts from which the same model may continue, and which it must explain. */
const PAYOUTS_BEFORE_MIN = 3;
const LOG_EVIDENCE_AS_BEFORE_MIN = 1;

/** Returns the sweep hypothesis with the most evidence, if one has enough. */
export function chooseSweep(file: PreparedFile, cardRules: readonly CardRule[]): Chosen | NotChosen {
  // The explanations with straddling items compete with the runs.
  const finish = (answer: ModelAnswer): ModelAnswer => solveStraddling(file, answer, straddledStreams(file, answer));
  const asBefore = bestAsBefore(file, cardRules);
  const continued = (answer: ModelAnswer, accidentError: number): Chosen => ({
    ...challenge(file, answer, { cardRules, isModelOpen: false, near: [], finish }),
    feesLearned: false,
    accidentError,
  });
  if (asBefore !== undefined && asBefore.logEvidence >= LOG_EVIDENCE_AS_BEFORE_MIN) return continued(asBefore, 0);
  const given = bestWithGivenFees(file, cardRules);
  const mayLearn = file.request.fees === undefined && !isClear(file, given);
  const found = mayLearn ? learnFeeHypothesis(file, given, cardRules[0]) : undefined;
  const plain = supportedOf(given, found?.learned?.answer) ?? given;
  const grouped = isClear(file, plain)
    ? undefined
    : findGroups(file, { cardRules, fees: feesOf(file, plain), known: plain });
  const best = supportedOf(plain, grouped?.answer);
  if (best === undefined || best.logEvidence < LOG_EVIDENCE_MIN) {
    // What earlier payouts left over has their model, and shows too little to be sure of anything.
    if (asBefore !== undefined) return continued(asBefore, 1 / (1 + Math.exp(asBefore.logEvidence)));
    const cutShort = found?.isCutShort === true ? new Set(file.credits.map(({ index }) => index)) : given?.cutShort;
    return { answer: undefined, cutShort: cutShort ?? new Set(), unproven: best };
  }
  const open = { cardRules, isModelOpen: true, near: grouped?.near ?? [], finish };
  const { answer, rivals } = challenge(file, best, open);
  const feesLearned = file.request.fees === undefined && best.hypothesis.fees.rules.length > 0;
  return {
    answer:
      !feesLearned && isOnlyCards(answer)
        ? finish(inferModel(file, { ...answer.hypothesis, model: 'sweep-card-only' }))
        : answer,
    rivals,
    feesLearned,
    accidentError: Math.max(
      accidentErrorOf(best, feesLearned || best === grouped?.answer),
      feesLearned ? (found?.learned?.accidentError ?? 0) : 0,
    ),
  };
}

/** Returns the answer of a wider search if it has more evidence than chance reaches there, otherwise the first one. */
function supportedOf(first: ModelAnswer | undefined, wider: ModelAnswer | undefined): ModelAnswer | undefined {
  return (wider?.logEvidence ?? 0) > LOG_EVIDENCE_OF_LEARNED_MIN ? betterOf(first, wider) : first;
}

function feesOf({ request }: PreparedFile, answer: ModelAnswer | undefined): FeeHypothesis {
  return answer?.hypothesis.fees ?? { rules: request.fees ?? [], clawback: 'kept' };
}

/** Returns the answer with the most evidence under the fees of the request, or without any fee. */
function bestWithGivenFees(file: PreparedFile, cardRules: readonly CardRule[]): ModelAnswer | undefined {
  const rules = file.request.fees ?? [];
  const models = modelsOf(file);
  const hypotheses = models.flatMap((model) =>
    cardRules.map((cardRule): Hypothesis => ({ model, cardRule, fees: { rules, clawback: 'kept' } })),
  );
  const plain = bestOf(file, hypotheses);
  let best = plain;
  if (rules.length > 0 && hasRefunds(file) && plain !== undefined) {
    const { cardRule } = plain.hypothesis;
    best = betterOf(
      plain,
      bestOf(
        file,
        models.map((model): Hypothesis => ({ model, cardRule, fees: { rules, clawback: 'returned' } })),
      ),
    );
  }
  best = orWithoutRefunds(file, best, hypotheses);
  return isClear(file, best) ? best : betterOf(best, bestChain(file, cardRules[0], rules));
}

/**
 * Returns the best answer of the earlier model. Earlier runs have proven it, so a single credit continues where the
 * last one ended.
 */
function bestAsBefore(file: PreparedFile, cardRules: readonly CardRule[]): ModelAnswer | undefined {
  const { history, fees } = file.request;
  const groups = groupsBefore(history);
  const model = groups === undefined ? SWEEP_MODELS.find((name) => name === history?.model) : 'sweep-by-group';
  if (model === undefined || (history?.payouts.length ?? 0) < PAYOUTS_BEFORE_MIN) return undefined;
  const clawbacks = hasRefunds(file) && (fees ?? []).length > 0 ? (['kept', 'returned'] as const) : (['kept'] as const);
  const hypotheses = cardRules.flatMap((cardRule) =>
    clawbacks.map((clawback): Hypothesis => ({ model, groups, cardRule, fees: { rules: fees ?? [], clawback } })),
  );
  return orWithoutRefunds(file, bestOf(file, hypotheses), hypotheses);
}

/**
 * Returns the best answer, or a far better one of a gateway that never takes a refund back. This is asked if no payout
 * seems to be reduced by a refund, and some seem to leave one or are not explained.
 */
function orWithoutRefunds(
  file: PreparedFile,
  best: ModelAnswer | undefined,
  hypotheses: readonly Hypothesis[],
): ModelAnswer | undefined {
  if (best === undefined || !hasRefunds(file)) return best;
  const { taken, left } = refundsIn(best);
  if (taken >= 1 || (isClear(file, best) && left < 1)) return best;
  const without = bestOf(
    file,
    hypotheses.map((hypothesis) => ({ ...hypothesis, withoutRefunds: true })),
  );
  return (without?.logEvidence ?? 0) > best.logEvidence + LOG_EVIDENCE_MIN ? without : best;
}

/** Returns the expected numbers of payouts that a refund reduces, and of those that leave one out. */
function refundsIn({ streams }: ModelAnswer): { readonly taken: number; readonly left: number } {
  let taken = 0;
  let left = 0;
  for (const { sequence, weighed } of streams) {
    for (const { from, to, share, ...link } of [...weighed.links, ...weighed.deviating]) {
      const leftOut = 'leftOut' in link ? link.leftOut : [];
      const refunded = at(sequence.refundedBefore, to) - at(sequence.refundedBefore, from);
      if (leftOut.length > 0) left += share;
      if (leftOut.reduce((sum, position) => sum + at(sequence.amount, position), refunded) > 0) taken += share;
    }
  }
  return { taken, left };
}

/**
 * Returns the best answer with straddling items. If cuts may lie inside the intervals of many items, no run between two
 * cuts is exact.
 */
function bestChain(
  file: PreparedFile,
  cardRule: CardRule | undefined,
  rules: readonly FeeRule[],
): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const model of modelsOf(file)) {
    const hypothesis: Hypothesis = { model, cardRule, fees: { rules, clawback: 'kept' } };
    if (!mayHaveStraddlingItems(file, hypothesis)) return undefined;
    const solved = solveStraddling(file, inferModel(file, hypothesis));
    if (solved.logEvidence >= LOG_EVIDENCE_OF_LEARNED_MIN) best = betterOf(best, solved);
    if (isClear(file, best)) break;
  }
  return best;
}

/** Returns whether only cards are paid. A model that pays all channels does not fit if some are never paid. */
function isOnlyCards({ hypothesis, streams }: ModelAnswer): boolean {
  if (hypothesis.model !== 'sweep-per-channel') return false;
  const paid = streams
    .filter(({ weighed }) => weighed.logEvidence >= LOG_EVIDENCE_MIN)
    .map(({ sequence }) => sequence.stream);
  return paid.length === 1 && paid[0] === 'card' && streams.length > 1;
}

/** Returns the best answer. Stops at the first one that leaves no question open. */
function bestOf(file: PreparedFile, hypotheses: readonly Hypothesis[]): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const hypothesis of hypotheses) {
    best = betterOf(best, inferModel(file, hypothesis));
    if (isClear(file, best)) return best;
  }
  return best;
}
