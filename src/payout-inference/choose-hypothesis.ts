import { betterOf, hasRefunds, isClear, LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import { inferModel, modelsOf, SWEEP_MODELS } from './infer-model';
import { type CardRule, learnCardRules } from './learn-card-rule';
import { learnFeeHypothesis } from './learn-fee-hypothesis';
import { CHANNELS, type FeeRule } from './match-request';
import type { Hypothesis, ModelAnswer } from './model-answer';
import { inferPerItem } from './per-item/infer-per-item';
import type { PreparedFile } from './prepare-file';
import { challenge, type Challenged, mostSupportedAmong, type Rival } from './rival-hypotheses';
import { hasStraddlingItems, mayHaveStraddlingItems } from './straddling/has-straddling-items';
import { solveStraddling } from './straddling/solve-straddling';

/** What chance reaches among the hypotheses that are always tried, and among all fees of the grid. */
const LOG_EVIDENCE_MIN = 8;
const LOG_EVIDENCE_OF_CHANCE = 11;
const LOG_EVIDENCE_OF_CHANCE_LEARNED = 20;
/** Payouts that were settled before, and what the same model must explain to go on. */
const PAYOUTS_BEFORE_MIN = 3;
const LOG_EVIDENCE_AS_BEFORE_MIN = 1;
/** With fewer credits for each item, payouts are not of single items. */
const PER_ITEM_CREDITS_MIN = 0.3;
const MOST_CREDITS = 0.6;
/** Unclear credits, as after a return, count by halves one by one: more evidence makes up for a few of them. */
const FAR_BETTER_SUPPORTED = 1.5;
const ABOUT_AS_MANY = 0.95;
/** Two cuts a day for each channel. */
const SWEEPS_PER_DAY_MAX = 2 * CHANNELS.length;

export interface Chosen {
  readonly answer: ModelAnswer;
  /** The chance that the credits fit by accident, among all that was tried. */
  readonly accidentError: number;
  /** What else the file does not rule out. */
  readonly rivals: readonly Rival[];
  readonly feesLearned: boolean;
}

/** Nothing was found that the file speaks for. */
export interface NotChosen {
  readonly answer: undefined;
  /** Credits of which a bound on the work leaves open whether something would have been. */
  readonly cutShort: ReadonlySet<number>;
}

/** Returns the hypothesis with the most evidence, if any has enough. */
export function chooseHypothesis(file: PreparedFile): Chosen | NotChosen {
  const cardRules = learnCardRules(file.request.items, file.bounds, file.grid);
  const perItem = bestPerItem(file, cardRules);
  if (perItem !== undefined && isClear(file, perItem.answer) && hasCrowdedDays(file)) return chosenOf(file, perItem);
  const sweep = chooseSweep(file, cardRules);
  return isBetterThanSweep(file, perItem, sweep.answer) ? chosenOf(file, perItem) : sweep;
}

/** Many credits for few items are tried one by one. */
function bestPerItem(file: PreparedFile, cardRules: readonly CardRule[]): Challenged | undefined {
  if (file.credits.length < PER_ITEM_CREDITS_MIN * file.request.items.length) return undefined;
  const answers = cardRules.flatMap((cardRule) => inferPerItem(file, file.request.fees, cardRule));
  return mostSupportedAmong(answers, cardRules);
}

/** More credits on a day than any sweep makes. */
function hasCrowdedDays(file: PreparedFile): boolean {
  const days = new Set(file.credits.map(({ bookingDay }) => bookingDay));
  return file.credits.length > SWEEPS_PER_DAY_MAX * days.size;
}

/**
 * Where both explain the same, a sweep of one item is still a sweep. But credits of which most are one item each are no
 * sweeps, whatever sums beside them fit.
 */
function isBetterThanSweep(
  { credits }: PreparedFile,
  perItem: Challenged | undefined,
  sweep: ModelAnswer | undefined,
): perItem is Challenged {
  if (perItem === undefined) return false;
  const { logEvidence, explained } = perItem.answer;
  if (logEvidence < LOG_EVIDENCE_OF_LEARNED_MIN) return false;
  if (sweep === undefined) return true;
  const isFarBetterSupported = logEvidence > FAR_BETTER_SUPPORTED * sweep.logEvidence;
  if (explained <= (isFarBetterSupported ? ABOUT_AS_MANY : 1) * sweep.explained) return false;
  return logEvidence > sweep.logEvidence || explained >= MOST_CREDITS * credits.length;
}

function chosenOf({ request }: PreparedFile, { answer, rivals }: Challenged): Chosen {
  const feesLearned = request.fees === undefined && answer.hypothesis.fees.rules.length > 0;
  return { answer, feesLearned, rivals, accidentError: accidentErrorOf(answer, feesLearned) };
}

function chooseSweep(file: PreparedFile, cardRules: readonly CardRule[]): Chosen | NotChosen {
  const given = file.request.fees;
  const asBefore = bestAsBefore(file, cardRules);
  const finish = (answer: ModelAnswer): ModelAnswer => withStraddling(file, answer);
  if (asBefore !== undefined) {
    return {
      ...challenge(file, asBefore, { cardRules, isModelOpen: false, finish }),
      feesLearned: false,
      accidentError: 0,
    };
  }
  const open = { cardRules, isModelOpen: true, finish };
  const plain = bestOf(
    file,
    modelsOf(file).flatMap((model) =>
      cardRules.map((cardRule): Hypothesis => ({
        model,
        cardRule,
        fees: { rules: given ?? [], clawback: 'kept' },
      })),
    ),
  );
  let best = plain;
  if (given !== undefined && given.length > 0 && hasRefunds(file) && best !== undefined) {
    best = betterOf(
      best,
      bestOf(
        file,
        modelsOf(file).map((model): Hypothesis => ({
          model,
          cardRule: plain?.hypothesis.cardRule,
          fees: { rules: given, clawback: 'returned' },
        })),
      ),
    );
  }
  if (!isClear(file, best)) best = betterOf(best, bestChain(file, cardRules[0], given ?? []));
  let isCutShort = false;
  if (given === undefined && !isClear(file, best)) {
    const learned = learnFeeHypothesis(file, best, cardRules[0]);
    if (
      learned.answer !== undefined &&
      learned.answer.logEvidence > Math.max(LOG_EVIDENCE_OF_LEARNED_MIN, best?.logEvidence ?? 0)
    ) {
      return {
        ...challenge(file, learned.answer, open),
        feesLearned: true,
        accidentError: accidentErrorOf(learned.answer, true),
      };
    }
    isCutShort = learned.isCutShort;
  }
  if (best === undefined || best.logEvidence < LOG_EVIDENCE_MIN) {
    const cutShort = isCutShort ? new Set(file.credits.map(({ index }) => index)) : best?.cutShort;
    return { answer: undefined, cutShort: cutShort ?? new Set() };
  }
  const { answer, rivals } = challenge(file, best, open);
  const named = isOnlyCards(answer)
    ? finish(inferModel(file, { ...answer.hypothesis, model: 'sweep-card-only' }))
    : answer;
  return { answer: named, rivals, feesLearned: false, accidentError: accidentErrorOf(best, false) };
}

/** What earlier runs settled needs no proof again: a single credit goes on where the last one ended. */
function bestAsBefore(file: PreparedFile, cardRules: readonly CardRule[]): ModelAnswer | undefined {
  const { history, fees } = file.request;
  const model = SWEEP_MODELS.find((name) => name === history?.model);
  if (model === undefined || (history?.payouts.length ?? 0) < PAYOUTS_BEFORE_MIN) return undefined;
  const clawbacks = hasRefunds(file) && (fees ?? []).length > 0 ? (['kept', 'returned'] as const) : (['kept'] as const);
  const best = bestOf(
    file,
    cardRules.flatMap((cardRule) =>
      clawbacks.map((clawback): Hypothesis => ({ model, cardRule, fees: { rules: fees ?? [], clawback } })),
    ),
  );
  return best !== undefined && best.logEvidence >= LOG_EVIDENCE_AS_BEFORE_MIN ? best : undefined;
}

/** Where cuts may lie inside the intervals of many items, no run between two of them is exact. */
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

/** Items that may stand on either side of a cut compete with the runs. */
function withStraddling(file: PreparedFile, answer: ModelAnswer): ModelAnswer {
  return hasStraddlingItems(file, answer) ? solveStraddling(file, answer) : answer;
}

/** Without it an account that was never paid resolves a credit now and then: so much evidence chance alone makes. */
function accidentErrorOf({ logEvidence }: ModelAnswer, feesLearned: boolean): number {
  return Math.exp(Math.min(0, (feesLearned ? LOG_EVIDENCE_OF_CHANCE_LEARNED : LOG_EVIDENCE_OF_CHANCE) - logEvidence));
}

/** Channels that nothing pays are not paid by a model that pays them all. */
function isOnlyCards({ hypothesis, streams }: ModelAnswer): boolean {
  if (hypothesis.model !== 'sweep-per-channel') return false;
  const paid = streams
    .filter(({ weighed }) => weighed.logEvidence >= LOG_EVIDENCE_MIN)
    .map(({ sequence }) => sequence.stream);
  return paid.length === 1 && paid[0] === 'card' && streams.length > 1;
}

/** Stops at the first that leaves no question open. */
function bestOf(file: PreparedFile, hypotheses: readonly Hypothesis[]): ModelAnswer | undefined {
  let best: ModelAnswer | undefined;
  for (const hypothesis of hypotheses) {
    best = betterOf(best, inferModel(file, hypothesis));
    if (isClear(file, best)) return best;
  }
  return best;
}
