import { compareBytes, millimes } from '../kernel';
import { at, elementAt } from './at';
import { inByteOrder } from './breaks/byte-order';
import { type Candidate, CANDIDATE_ITEMS_MAX, type DifferingItems, type Objection } from './candidate';
import type { GapCredit } from './explain-gap-credits';
import { explanationsOf } from './explanations-of';
import { feesByTerms, feesOfItems } from './fees-of-items';
import type { Explanation, ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';

const CANDIDATES_MAX = 3;
/** Less likely explanations only distract. */
const PROBABILITY_MIN = 1e-3;
/** A gap credit is the first candidate unless an explanation is more likely than this. */
const SURE = 0.5;
/** Explanations that lack at most this share of each other's items differ only at a cut. */
const NEAR_SHARE = 0.1;
/** Of the items in which a candidate differs, the ids of at most this number are stated. */
const DIFFERING_IDS_MAX = 20;

/** The probabilities that something other than the shares of the paths makes the explanations of a credit wrong. */
export interface CreditErrors {
  /** That the whole answer is an accident. */
  readonly accident: number;
  /** That the bank returned another one of several equal credits. */
  readonly unclearReturn: number;
  /** That another hypothesis holds and pays other items. */
  readonly rivals: number;
  /** Whether another credit was resolved by one of the same items. */
  readonly sharesItems: boolean;
}

export interface ExplainedCredit {
  readonly index: number;
  /** The likeliest first. */
  readonly explanations: readonly Explanation[];
  readonly gapCredit: GapCredit | undefined;
  readonly errors: CreditErrors;
  /** Undefined if no probability is known, because nothing proves the model. */
  readonly claimedError: number | undefined;
  readonly isCutShort: boolean;
}

/** A candidate before it is compared with the first one. */
type Found = Omit<Candidate, 'adds' | 'lacks' | 'itemIds' | 'itemCount'> & { readonly items: readonly number[] };

/** Returns the best explanations of a credit that is not resolved, with the objections to each. */
export function candidatesOf(file: PreparedFile, answer: ModelAnswer, credit: ExplainedCredit): Candidate[] {
  const { explanations, gapCredit } = credit;
  const found = explanations
    .filter(({ share }) => share >= PROBABILITY_MIN)
    .slice(0, CANDIDATES_MAX)
    .map((explanation) => explained(file, answer, credit, explanation));
  const nearest = gapCredit === undefined ? undefined : nearestRun(file, answer, credit, gapCredit);
  if (nearest !== undefined) {
    const isFirst = (explanations[0]?.share ?? 0) < SURE;
    found.splice(isFirst ? 0 : found.length, 0, nearest);
  }
  const [first] = found;
  return first === undefined ? [] : found.slice(0, CANDIDATES_MAX).map((each) => comparedWith(file, first.items, each));
}

/** Returns the function that finds the candidates of a credit under a hypothesis that too little evidence supports. */
export function unprovenCandidates(
  file: PreparedFile,
  answer: ModelAnswer,
  cutShort: ReadonlySet<number>,
): (index: number) => Candidate[] {
  const known = explanationsOf(answer.streams);
  return (index) =>
    candidatesOf(file, answer, {
      index,
      explanations: known.get(index) ?? [],
      gapCredit: undefined,
      errors: { accident: 1, unclearReturn: 0, rivals: 0, sharesItems: false },
      claimedError: undefined,
      isCutShort: cutShort.has(index),
    });
}

function explained(file: PreparedFile, answer: ModelAnswer, credit: ExplainedCredit, explanation: Explanation): Found {
  const { amount } = elementAt(file.lines, credit.index);
  const { items, kind, stream, cutFrom, cutTo, lacks = 0 } = explanation;
  const { gross, fee, tva } =
    kind === 'part' ? feesByTerms(file, answer, explanation) : feesOfItems(file, answer, explanation, amount + lacks);
  return {
    probability: probabilityOf(credit, explanation),
    kind: kind === 'lacking' ? 'nearest' : kind,
    stream,
    cut: { after: cutFrom, until: cutTo },
    gross: millimes(gross),
    fee: millimes(fee),
    tva: millimes(tva),
    difference: millimes(amount - gross + fee + tva),
    items,
    against: objectionsTo(file, credit, explanation),
  };
}

/** Returns the probability of an explanation. The first one has what its claimed error leaves, the others in proportion. */
function probabilityOf(
  { explanations, errors, claimedError }: ExplainedCredit,
  { share }: Explanation,
): number | undefined {
  const [best] = explanations;
  if (best === undefined || claimedError === undefined || errors.sharesItems) return undefined;
  return (Math.max(0, 1 - claimedError) * share) / best.share;
}

/** Returns the objections to an explanation: each part of its error above the limit, and at least the largest one. */
function objectionsTo(file: PreparedFile, credit: ExplainedCredit, explanation: Explanation): Objection[] {
  const { explanations, errors, isCutShort } = credit;
  const { kind, nearError, lacks } = explanation;
  const others = explanations
    .filter((each) => each !== explanation)
    .map((each) => ({ probability: probabilityOf(credit, each) ?? each.share, without: lackedBy(each, explanation) }));
  const isNear = ({ without }: { readonly without: readonly number[] }): boolean =>
    without.length <= NEAR_SHARE * explanation.items.length;
  const near = others.filter(isNear);
  const far = others.filter((each) => !isNear(each));
  const total = explanations.reduce((sum, { share }) => sum + share, 0);
  const parts = [
    { code: 'another_explanation', probability: Math.max(0, ...far.map(({ probability }) => probability)) },
    { code: 'none_of_these', probability: Math.max(0, 1 - total) },
    {
      code: 'other_side_of_cut',
      probability: Math.min(
        1,
        near.reduce((sum, { probability }) => sum + probability, nearError),
      ),
      items: new Set(near.flatMap(({ without }) => without)).size,
    },
    { code: 'not_proven', probability: errors.accident },
    { code: 'other_hypothesis', probability: Math.min(1, errors.rivals) },
    { code: 'unclear_return', probability: errors.unclearReturn },
  ] as const;
  const large = parts.filter(({ probability }) => probability > file.request.maxError);
  const plain: Objection[] = [
    ...(kind === 'part' ? [{ code: 'part_of_payout' } as const] : []),
    ...(lacks === undefined ? [] : [{ code: 'unknown_amount', amount: millimes(-lacks) } as const]),
    ...(kind === 'sum' ? [{ code: 'chosen_by_sum' } as const] : []),
    ...observationsAgainst(file, explanation.items, { after: explanation.cutFrom, until: explanation.cutTo }),
    ...(errors.sharesItems ? [{ code: 'same_items' } as const] : []),
    ...(isCutShort ? [{ code: 'search_cut_short' } as const] : []),
  ];
  if (large.length + plain.length > 0) return [...large, ...plain];
  return [parts.reduce((most, each) => (each.probability > most.probability ? each : most))];
}

/** Returns the items of an explanation that another one does not pay. */
function lackedBy(other: Explanation, { items }: Explanation): number[] {
  const paid = new Set(other.items);
  return items.filter((item) => !paid.has(item));
}

/** Returns the clear run of a credit whose amount is not clear; undefined if no run is. */
function nearestRun(
  file: PreparedFile,
  answer: ModelAnswer,
  { index, isCutShort }: ExplainedCredit,
  { run, stream, cut, remainder, lacksFee }: GapCredit,
): Found | undefined {
  if (run === undefined) return undefined;
  const amount = elementAt(file.lines, index).amount - remainder;
  const { gross, fee, tva } = feesOfItems(file, answer, { items: run, cutFrom: cut.after, cutTo: cut.until }, amount);
  const difference = millimes(remainder);
  return {
    probability: undefined,
    kind: 'nearest',
    stream,
    cut,
    gross: millimes(gross),
    fee: millimes(fee),
    tva: millimes(tva),
    difference,
    items: run,
    against: [
      { code: lacksFee ? 'fee_unknown' : 'unknown_amount', amount: difference },
      ...observationsAgainst(file, run, cut),
      ...(isCutShort ? [{ code: 'search_cut_short' } as const] : []),
    ],
  };
}

/** Reports the items that were seen unpaid after the cut, or in a payout before it. */
function observationsAgainst(
  { bounds, request }: PreparedFile,
  items: readonly number[],
  cut: Candidate['cut'],
): Objection[] {
  const against = items.filter(
    (item) => at(bounds.lastAvailable, item) > cut.until || at(bounds.firstTaken, item) < cut.after,
  );
  const ids = against.map((item) => elementAt(request.items, item).itemId).sort(compareBytes);
  const [itemId] = ids;
  return itemId === undefined ? [] : [{ code: 'observation_against', items: ids.length, itemId }];
}

function comparedWith(file: PreparedFile, first: readonly number[], { items, ...found }: Found): Candidate {
  const idOf = (item: number): string => elementAt(file.request.items, item).itemId;
  return {
    ...found,
    itemCount: items.length,
    itemIds: inByteOrder(items.map(idOf)).slice(0, CANDIDATE_ITEMS_MAX),
    adds: differing(items, first, idOf),
    lacks: differing(first, items, idOf),
  };
}

function differing(
  items: readonly number[],
  others: readonly number[],
  idOf: (item: number) => string,
): DifferingItems {
  if (items === others) return { count: 0, itemIds: [] };
  const known = new Set(others);
  const own = items.filter((item) => !known.has(item));
  return { count: own.length, itemIds: inByteOrder(own.map(idOf)).slice(0, DIFFERING_IDS_MAX) };
}
