import { chooseSweep } from './choose-sweep';
import { accidentErrorOf, type Chosen, type NotChosen } from './chosen-hypothesis';
import { isClear, LOG_EVIDENCE_OF_LEARNED_MIN } from './compare-answers';
import { type CardRule, learnCardRules } from './learn-card-rule';
import { CHANNELS } from './match-request';
import type { ModelAnswer } from './model-answer';
import { inferPerItem } from './per-item/infer-per-item';
import type { PreparedFile } from './prepare-file';
import { type Challenged, mostSupportedAmong } from './rival-hypotheses';

/** With fewer credits per item, payouts are not of single items. */
const PER_ITEM_CREDITS_MIN = 0.3;
const MOST_CREDITS = 0.6;
/**
 * Unclear credits, as after a return, count by halves in the hypothesis of single items: more evidence makes up for a
 * few of them.
 */
const FAR_BETTER_SUPPORTED = 1.5;
const ABOUT_AS_MANY = 0.95;
/** Two cuts a day for each channel. */
const SWEEPS_PER_DAY_MAX = 2 * CHANNELS.length;

/** Returns the hypothesis with the most evidence, if one has enough. */
export function chooseHypothesis(file: PreparedFile): Chosen | NotChosen {
  const cardRules = learnCardRules(file.request.items, file.bounds, file.grid);
  const perItem = bestPerItem(file, cardRules);
  if (perItem !== undefined && isClear(file, perItem.answer) && hasCrowdedDays(file)) return chosenOf(file, perItem);
  const sweep = chooseSweep(file, cardRules);
  return isBetterThanSweep(file, perItem, sweep.answer) ? chosenOf(file, perItem) : sweep;
}

/** Returns the best answer of single items. Files with few credits and many items are skipped. */
function bestPerItem(file: PreparedFile, cardRules: readonly CardRule[]): Challenged | undefined {
  if (file.credits.length < PER_ITEM_CREDITS_MIN * file.request.items.length) return undefined;
  const answers = cardRules.flatMap((cardRule) => inferPerItem(file, file.request.fees, cardRule));
  return mostSupportedAmong(answers, cardRules);
}

/** Returns whether a day has more credits than any sweep creates. */
function hasCrowdedDays(file: PreparedFile): boolean {
  const days = new Set(file.credits.map(({ bookingDay }) => bookingDay));
  return file.credits.length > SWEEPS_PER_DAY_MAX * days.size;
}

/**
 * Returns whether single items explain the file better than a sweep. If both explain the same, a sweep of one item is
 * still a sweep. If most credits are one item each, they are no sweeps, even if some other sums fit.
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
