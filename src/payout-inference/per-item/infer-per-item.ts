import { at, elementAt } from '../at';
import { contestedCredits, LIKELY } from '../contested-credits';
import { itemAvailability } from '../item-availability';
import type { CardRule } from '../learn-card-rule';
import type { FeeRule } from '../match-request';
import type { Hypothesis, ModelAnswer } from '../model-answer';
import type { PreparedFile } from '../prepare-file';
import { type ClawbackFee, priceStream } from '../price-stream';
import { ambiguousReturns } from './ambiguous-returns';
import { type ExplainedPairs, explainPairs, SHARE_MIN } from './explain-pairs';
import { findPairs, type FoundPairs } from './find-pairs';
import { learnItemFees } from './learn-item-fees';
import { type OrderedWaits, orderWaits } from './ordered-waits';
import { pairColumns } from './pair-columns';
import { weighPairs } from './weigh-pairs';

/** Nearly every credit pays one item, and most due items are paid. Otherwise the file follows another model. */
const EXPLAINED_MIN = 0.6;
const COVERED_MIN = 0.6;
/** If this share of the credits is explained, no question is left open. */
const CLEAR_SHARE = 0.9;
/** A shorter chain may be a coincidence. */
const CREDITS_MIN = 4;
/** The share of a credit that may be the repeated payment of another one. */
const SHARE_OF_AMBIGUOUS = 0.5;

/**
 * Returns the answers to a file under the model that each item is paid by its own credit. With `fees` undefined it
 * learns them. If credits have other items of the same amount, a second answer has another hazard. Returns none if few
 * credits are one item, or few items are paid.
 */
export function inferPerItem(
  file: PreparedFile,
  fees: readonly FeeRule[] | undefined,
  cardRule: CardRule | undefined,
): ModelAnswer[] {
  if (file.credits.length < CREDITS_MIN) return [];
  const availability = itemAvailability(file.request.items, file.bounds, cardRule, file.grid);
  const waiting = orderWaits(file, availability);
  const answerWith = (rules: readonly FeeRule[], clawback: ClawbackFee): Answered =>
    answer(file, waiting, { model: 'per-item', cardRule, fees: { rules, clawback } });
  const plausible = (answered: Answered): ModelAnswer[] => {
    const { hypothesis, logEvidence, explained, weighed } = answered;
    if (explained < EXPLAINED_MIN * file.credits.length || explained < COVERED_MIN * weighed.due) return [];
    return [
      {
        ...{ hypothesis, availability, cancelled: waiting.cancelled, streams: [], logEvidence, explained },
        explanations: explainPairs(file, answered),
        cutShort: new Set(),
      },
    ];
  };
  let best = answerWith(fees ?? [], 'kept');
  if (fees === undefined && best.explained < CLEAR_SHARE * file.credits.length) {
    const learned = learnItemFees(waiting, file.credits, file.grid);
    if (learned.length > 0) best = betterOf(best, answerWith(learned, 'kept'));
  }
  const { rules } = best.hypothesis.fees;
  const hasRefunds = waiting.sequence.refundedBefore.at(-1) !== 0;
  if (rules.length > 0 && hasRefunds) best = betterOf(best, answerWith(rules, 'returned'));
  const likely = contestedPairs(best);
  const others = likely.size === 0 ? [] : plausible(answer(file, waiting, best.hypothesis, likely));
  return [...plausible(best), ...others];
}

/** Returns the likely pairs of credits that have alternatives, which may belong to another hazard. */
function contestedPairs({ found: { pairs }, shares }: Answered): ReadonlySet<number> {
  const choices = pairs.map(({ credit }, index) => ({ credit, share: at(shares, index) }));
  const contested = contestedCredits(choices);
  return new Set(
    choices.flatMap(({ credit, share }, index) => (share > LIKELY && contested.has(credit.index) ? [index] : [])),
  );
}

/** The result of one hypothesis. Only the best one gets explanations, because bounding the cut of each is costly. */
interface Answered extends ExplainedPairs {
  readonly hypothesis: Hypothesis;
  readonly logEvidence: number;
  /** The approximate number of explained credits, which is the number of paid items. */
  readonly explained: number;
}

function betterOf(a: Answered, b: Answered): Answered {
  return b.logEvidence > a.logEvidence ? b : a;
}

function answer(
  file: PreparedFile,
  waiting: OrderedWaits,
  hypothesis: Hypothesis,
  avoided?: ReadonlySet<number>,
): Answered {
  const { grid, credits, horizonDay } = file;
  const priced = priceStream(waiting.sequence, hypothesis.fees, grid);
  const found = findPairs(waiting, priced, credits, grid);
  const days = { firstDay: credits[0]?.bookingDay ?? 0, horizonDay };
  const pairs = { waiting, found, columns: pairColumns(found), grid, days, credits: credits.length };
  const weighed = weighPairs(pairs, avoided);
  const ambiguous = ambiguousReturns(file, waiting, found);
  const shares = weighed.shares.map((share, index) => {
    const credit = elementAt(found.pairs, index).credit.index;
    return ambiguous.has(credit) ? share * SHARE_OF_AMBIGUOUS : share;
  });
  const { logEvidence } = weighed;
  return { waiting, found, weighed, shares, hypothesis, logEvidence, explained: explainedBy(found, shares) };
}

/** Returns the sum, over all credits, of the probability that they are explained. */
function explainedBy({ pairs, crowded }: FoundPairs, shares: Float64Array): number {
  const ofCredit = new Map<number, number>();
  pairs.forEach(({ credit }, index) => {
    const share = at(shares, index);
    if (share >= SHARE_MIN) ofCredit.set(credit.index, (ofCredit.get(credit.index) ?? 0) + share);
  });
  return [...ofCredit.values()].reduce((sum, share) => sum + Math.min(1, share), crowded.size);
}
