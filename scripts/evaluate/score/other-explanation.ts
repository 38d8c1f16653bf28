import type { Instant } from '../../../src/kernel';
import { ANSWERS_WANTED, DEVIATIONS_MAX, deviationsOf, possibleDeviations } from './deviations';
import type { Candidate, PayoutCase } from './payout-case';
import { possibleCuts } from './possible-cuts';
import { subsetsWithSum, UNDECIDED_MAX } from './subset-search';
import { feeWithTvaMillimes } from './true-fee';

/** The limit on items whose subsets are priced one by one, under a fee on the whole payout. */
const PRICED_ONE_BY_ONE_MAX = 12;
/** With this number of subsets for each possible sum, a second fitting subset is practically certain. */
const SUBSETS_FOR_EACH_SUM = 64;

interface Side {
  readonly cutAt: Instant;
  readonly inside: readonly Candidate[];
  readonly undecided: readonly Candidate[];
}

/**
 * Returns whether another set of items explains the credit as well as the truth. It tries any cut, any choice among the
 * undecided items, and at most as many items passed over or stated late as the truth has. Plain enumeration.
 */
export function hasOtherExplanation(of: PayoutCase): boolean {
  const passedOver = passedOverByTruth(of);
  const deviations = passedOver + of.candidates.filter(({ isPaid, recordedLate }) => isPaid && recordedLate).length;
  if (deviations > DEVIATIONS_MAX) return true;
  const trueNet = netOf(of.candidates.filter(({ isPaid }) => isPaid));
  const seen = new Set<string>();
  for (const cutAt of possibleCuts(of, trueNet, deviations)) {
    const side = sideAt(of, cutAt);
    if (side === undefined) continue;
    if (side.undecided.length > 0) {
      const key = [...side.inside, undefined, ...side.undecided].map((item) => item?.itemId).join('\n');
      if (seen.has(key)) continue;
      seen.add(key);
    }
    if (fitsOtherwise(of, side, trueNet, deviations)) return true;
  }
  return false;
}

/**
 * Returns the items that are surely before a cut at this instant and those that may be; undefined if an observation
 * excludes the instant.
 */
function sideAt({ candidates, nextCutAt }: PayoutCase, cutAt: number): Side | undefined {
  const inside: Candidate[] = [];
  const undecided: Candidate[] = [];
  for (const candidate of candidates) {
    const mustLeave = candidate.cutUntil < nextCutAt;
    const mayLeave = candidate.earliest <= cutAt && candidate.cutAfter < cutAt && cutAt <= candidate.cutUntil;
    if (mustLeave && !mayLeave) return undefined;
    if (!mayLeave) continue;
    if (mustLeave || candidate.latest <= cutAt) inside.push(candidate);
    else undecided.push(candidate);
  }
  return { cutAt, inside, undecided };
}

function passedOverByTruth(of: PayoutCase): number {
  return sideAt(of, of.cutAt)?.inside.filter(({ isPaid }) => !isPaid).length ?? 0;
}

function fitsOtherwise(of: PayoutCase, side: Side, trueNet: number, deviations: number): boolean {
  const { cutAt, inside, undecided } = side;
  const isOther = (items: readonly Candidate[]): boolean =>
    items.some(({ isPaid }) => !isPaid) || items.length !== of.candidates.filter(({ isPaid }) => isPaid).length;
  if (hasFeeOnWhole([...inside, ...undecided])) {
    return pricedOneByOne(inside, undecided, deviations).some((items) => netOf(items) === trueNet && isOther(items));
  }
  const missing = trueNet - sumOf(inside);
  const nets = undecided.map(({ netMillimes }) => netMillimes);
  if (deviations === 0) {
    if (undecided.length === 0) return missing === 0 && isOther(inside);
    if (undecided.length > UNDECIDED_MAX) return outnumbersSums(nets, missing);
    return subsetsWithSum(nets, missing, ANSWERS_WANTED).some((mask) =>
      isOther([...inside, ...chosen(undecided, mask)]),
    );
  }
  const changes = possibleDeviations(of, inside, cutAt);
  return undecidedSums(nets).some(({ sum, mask }) =>
    deviationsOf(changes, sum - missing, deviations).some(({ left, joined }) =>
      isOther([...inside.filter((item) => !left.includes(item)), ...joined, ...chosen(undecided, mask)]),
    ),
  );
}

/** If there are too many to list, only the empty subset is tried, which never makes the ceiling too low. */
function undecidedSums(nets: readonly number[]): { readonly sum: number; readonly mask: number }[] {
  const count = nets.length > PRICED_ONE_BY_ONE_MAX ? 1 : 2 ** nets.length;
  return Array.from({ length: count }, (_, mask) => ({
    mask,
    sum: nets.reduce((sum, net, index) => sum + (bit(mask, index) ? net : 0), 0),
  }));
}

function pricedOneByOne(
  inside: readonly Candidate[],
  undecided: readonly Candidate[],
  passedOver: number,
): Candidate[][] {
  const count = undecided.length > PRICED_ONE_BY_ONE_MAX ? 1 : 2 ** undecided.length;
  const whole = Array.from({ length: count }, (_, mask) => [...inside, ...chosen(undecided, mask)]);
  return passedOver === 0
    ? whole
    : whole.flatMap((items) => [items, ...items.map((left) => items.filter((item) => item !== left))]);
}

/**
 * Compares the number of subsets with the number of sums between the least and the greatest, in steps of the common
 * divisor.
 */
function outnumbersSums(nets: readonly number[], wanted: number): boolean {
  const step = nets.reduce(greatestCommonDivisor, 0);
  const range = nets.reduce((sum, net) => sum + Math.abs(net), 0) / step;
  return wanted % step === 0 && 2 ** nets.length > SUBSETS_FOR_EACH_SUM * range;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : greatestCommonDivisor(b, a % b);
}

function hasFeeOnWhole(items: readonly Candidate[]): boolean {
  return items.some(({ payoutFee }) => payoutFee !== undefined);
}

function netOf(items: readonly Candidate[]): number {
  const groups = new Map<string, { rule: NonNullable<Candidate['payoutFee']>['rule']; amountMillimes: number }>();
  for (const { payoutFee } of items) {
    if (payoutFee === undefined) continue;
    const { rule, amountMillimes } = payoutFee;
    const key = [rule.ratePpm, rule.fixedMillimes, rule.tvaPpm, rule.rounding].join();
    groups.set(key, { rule, amountMillimes: (groups.get(key)?.amountMillimes ?? 0) + amountMillimes });
  }
  const fees = [...groups.values()].map(({ rule, amountMillimes }) => feeWithTvaMillimes(amountMillimes, rule));
  return sumOf(items) - fees.reduce((sum, fee) => sum + fee, 0);
}

function sumOf(items: readonly Candidate[]): number {
  return items.reduce((sum, { netMillimes }) => sum + netMillimes, 0);
}

function chosen(items: readonly Candidate[], mask: number): Candidate[] {
  return items.filter((_, index) => bit(mask, index));
}

function bit(mask: number, index: number): boolean {
  return Math.floor(mask / 2 ** index) % 2 === 1;
}
