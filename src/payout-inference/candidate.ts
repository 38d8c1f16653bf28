import { counted, formatDinars, formatProbability, type Instant, type Millimes, negateMillimes } from '../kernel';
import type { Stream } from './match-request';

/** A payout is larger only in theory; a person matches at most this number of items. */
export const CANDIDATE_ITEMS_MAX = 10_000;

/**
 * An objection to an explanation: a stable code with its parameters. A `probability` is the part of the claimed
 * error that it causes.
 */
export type Objection =
  | { readonly code: 'another_explanation'; readonly probability: number }
  | { readonly code: 'none_of_these'; readonly probability: number }
  | { readonly code: 'other_side_of_cut'; readonly probability: number; readonly items: number }
  | { readonly code: 'not_proven'; readonly probability: number }
  | { readonly code: 'other_hypothesis'; readonly probability: number }
  | { readonly code: 'unclear_return'; readonly probability: number }
  | { readonly code: 'observation_against'; readonly items: number; readonly itemId: string }
  | { readonly code: 'unknown_amount' | 'fee_unknown'; readonly amount: Millimes }
  | {
      readonly code:
        | 'chosen_by_sum'
        | 'part_of_payout'
        | 'same_items'
        | 'search_cut_short'
        | 'unmatched_before'
        | 'partly_written_off';
    };

/** The items in which a candidate differs from the first one: their number, and the first ids in byte order. */
export interface DifferingItems {
  readonly count: number;
  readonly itemIds: readonly string[];
}

/** One explanation of a credit that is not resolved. Amount of the credit = gross - fee - tva + difference. */
export interface Candidate {
  /** The probability that the credit paid exactly these items; undefined if nothing measures it. */
  readonly probability: number | undefined;
  /**
   * - `run`: all items between two cuts.
   * - `sum`: some of the items were chosen by their sum.
   * - `part`: the items were paid in several credits, and this is one of them.
   * - `nearest`: the items between two cuts are clear, and the amount is not theirs.
   */
  readonly kind: 'run' | 'sum' | 'part' | 'nearest';
  readonly stream: Stream;
  readonly cut: { readonly after: Instant; readonly until: Instant };
  readonly gross: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly difference: Millimes;
  readonly itemCount: number;
  /** In byte order, at most `CANDIDATE_ITEMS_MAX`. */
  readonly itemIds: readonly string[];
  /** Items that the first candidate does not contain. */
  readonly adds: DifferingItems;
  /** Items of the first candidate that this one does not contain. */
  readonly lacks: DifferingItems;
  /** Never empty. */
  readonly against: readonly Objection[];
}

/** Returns the sentence for people that states an objection. */
export function objectionText(objection: Objection): string {
  switch (objection.code) {
    case 'another_explanation':
      return `another explanation has a probability of ${formatProbability(objection.probability)}`;
    case 'none_of_these':
      return `with a probability of ${formatProbability(objection.probability)} none of these explanations holds`;
    case 'other_side_of_cut':
      return (
        `one item may lie on the other side of a cut, with a probability of ` +
        formatProbability(objection.probability) +
        (objection.items === 0 ? '' : `; ${counted(objection.items, 'item')} may be in question`)
      );
    case 'not_proven':
      return 'too few credits prove the payout model and the fees; the sums may agree by chance';
    case 'other_hypothesis':
      return (
        `another payout model, availability rule or fee explains the file as well and pays other items, ` +
        `with a probability of ${formatProbability(objection.probability)}`
      );
    case 'unclear_return':
      return 'the bank returned one of several equal credits, and which one is unknown';
    case 'observation_against':
      return `observations contradict ${counted(objection.items, 'item')}, such as ${objection.itemId}`;
    case 'unknown_amount':
      return objection.amount > 0
        ? `no item explains ${formatDinars(objection.amount)} of the credit`
        : `no item and no fee explains why the credit is ${formatDinars(negateMillimes(objection.amount))} less`;
    case 'fee_unknown':
      return `only a fee that too few credits confirm explains ${formatDinars(objection.amount)}`;
    case 'chosen_by_sum':
      return 'some items were chosen by their sum and not by a cut';
    case 'part_of_payout':
      return 'the items were paid in several credits, and this one is only a part of them';
    case 'same_items':
      return 'another credit claims the same items';
    case 'search_cut_short':
      return 'the search reached its limit, so other explanations are possible';
    case 'unmatched_before':
      return 'a person or the bank reversed its match, so only people match it';
    case 'partly_written_off':
      return 'a part of the credit is written off, so only people match it';
  }
}
