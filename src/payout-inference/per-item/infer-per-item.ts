import { at } from '../day-grid';
import type { Explanation, ModelAnswer } from '../model-answer';
import type { CardRule } from '../learn-card-rule';
import type { FeeRule } from '../match-request';
import { placeItems } from '../place-items';
import type { PreparedFile } from '../prepare-file';
import { priceStream, type ClawbackFee } from '../price-stream';
import { creditsInDoubt } from './doubtful-returns';
import { findPairs, type FoundPairs } from './find-pairs';
import { learnItemFees } from './learn-item-fees';
import { lineOfWaits, type LineOfWaits } from './line-of-waits';
import { cutOf } from './wait-of-item';
import { weighPairs, type WeighedPairs } from './weigh-pairs';

/** Nearly every credit pays one item, and most items that are due are paid: else the file is of another model. */
const EXPLAINED_MIN = 0.6;
const COVERED_MIN = 0.6;
/** So large a share of the credits explained leaves no question open. */
const CLEAR_SHARE = 0.9;
/** Chains of coincidences are not shorter. */
const CREDITS_MIN = 4;
/** Pairs of less weight are not told apart from none. */
const SHARE_MIN = 1e-7;
/** Of a credit that may be another one's second try. */
const SHARE_OF_DOUBTFUL = 0.5;

/**
 * What the file looks like if each item is paid by a credit of its own. `fees` undefined: they are learned. Undefined when
 * few credits are one item, or few items are paid.
 */
export function inferPerItem(
  file: PreparedFile,
  fees: readonly FeeRule[] | undefined,
  cardRule: CardRule | undefined,
): ModelAnswer | undefined {
  if (file.credits.length < CREDITS_MIN) return undefined;
  const places = placeItems(file.request.items, file.polls, cardRule, file.grid);
  const waiting = lineOfWaits(file, places);
  const answerWith = (rules: readonly FeeRule[], clawback: ClawbackFee): Answered =>
    answer(file, waiting, { model: 'per-item', cardRule, fees: { rules, clawback } }, places);
  let best = answerWith(fees ?? [], 'kept');
  if (fees === undefined && best.answer.explained < CLEAR_SHARE * file.credits.length) {
    const learned = learnItemFees(waiting, file.credits, file.grid);
    if (learned.length > 0) best = betterOf(best, answerWith(learned, 'kept'));
  }
  const { rules } = best.answer.supposition.fees;
  const hasRefunds = waiting.line.refundedBefore.at(-1) !== 0;
  if (rules.length > 0 && hasRefunds) best = betterOf(best, answerWith(rules, 'returned'));
  const isPlausible =
    best.answer.explained >= EXPLAINED_MIN * file.credits.length && best.paid >= COVERED_MIN * best.due;
  return isPlausible ? best.answer : undefined;
}

interface Answered {
  readonly answer: ModelAnswer;
  /** Items that are paid, and items whose payout should be on the statement. */
  readonly paid: number;
  readonly due: number;
}

function betterOf(a: Answered, b: Answered): Answered {
  return b.answer.evidence > a.answer.evidence ? b : a;
}

function answer(
  file: PreparedFile,
  waiting: LineOfWaits,
  supposition: ModelAnswer['supposition'],
  places: ModelAnswer['places'],
): Answered {
  const { grid, credits, horizonDay } = file;
  const priced = priceStream(waiting.line, supposition.fees, grid);
  const found = findPairs(waiting, priced, credits, grid);
  const days = { firstDay: credits[0]?.bookingDay ?? 0, horizonDay };
  const weighed = weighPairs({ waiting, found, grid, days, credits: credits.length });
  const explanations = explanationsOf(file, waiting, found, weighed);
  const explained = [...explanations.values()].reduce(
    (sum, ofCredit) =>
      sum +
      Math.min(
        1,
        ofCredit.reduce((all, { share }) => all + share, 0),
      ),
    0,
  );
  return {
    answer: {
      supposition,
      places,
      cancelled: waiting.cancelled,
      streams: [],
      evidence: weighed.evidence,
      explained,
      explanations,
      cutShort: new Set(),
    },
    paid: explained,
    due: weighed.due,
  };
}

function explanationsOf(
  file: PreparedFile,
  waiting: LineOfWaits,
  found: FoundPairs,
  { shares, habits }: WeighedPairs,
): Map<number, readonly Explanation[]> {
  const { grid } = file;
  const { line, waits } = waiting;
  const { pairs, crowded } = found;
  const doubtful = creditsInDoubt(file, waiting, found);
  const byCredit = new Map<number, Map<string, Explanation>>();
  pairs.forEach(({ credit, positions, wait }, index) => {
    const share = at(shares, index) * (doubtful.has(credit.index) ? SHARE_OF_DOUBTFUL : 1);
    if (share < SHARE_MIN) return;
    const items = positions.map((position) => at(line.item, position)).sort((a, b) => a - b);
    const known = byCredit.get(credit.index) ?? new Map<string, Explanation>();
    const before = known.get(items.join());
    known.set(items.join(), {
      stream: 'item',
      items,
      kind: 'run',
      nearError: 0,
      ...(before ?? cutOf(wait, habits, grid, credit.bookingDay)),
      share: Math.min(1, share + (before?.share ?? 0)),
    });
    byCredit.set(credit.index, known);
  });
  const explanations = new Map<number, readonly Explanation[]>();
  for (const [credit, known] of byCredit) {
    explanations.set(
      credit,
      [...known.values()].sort((a, b) => b.share - a.share),
    );
  }
  for (const [credit, positions] of crowded) {
    explanations.set(
      credit.index,
      positions.flatMap((position): Explanation[] => {
        const wait = waits[position];
        const items = [at(line.item, position)];
        const cut = wait === undefined ? { cutFrom: 0, cutTo: 0 } : cutOf(wait, habits, grid, credit.bookingDay);
        return [{ stream: 'item', items, kind: 'run', nearError: 0, share: 1 / positions.length, ...cut }];
      }),
    );
  }
  return explanations;
}
