import { BREAK_CLASSES, type BreakClass, type Direction, directionOf, type NewBreak, type ReconBreak } from '../breaks';
import { assert } from '../kernel';
import type { InferredCredit, NamedBreak } from '../payout-inference';

/** More ids than a person reads. The facts of the break state their number. */
const ITEM_IDS_KEPT_MAX = 10_000;
const PROPOSAL_SHOWN_MAX = 20;

/** Only runs open the breaks of these classes, and close them when they disappear. */
const ALWAYS_OF_RUNS: readonly BreakClass[] = [
  'missing_in_bank',
  'missing_in_book',
  'ambiguous_payout',
  'returned_payout',
];

/** Runs open some breaks of these classes, and other modules the rest. The fingerprint distinguishes them. */
const OF_RUNS: Readonly<Partial<Record<BreakClass, RegExp>>> = {
  // By stream and month.
  clearing_unexplained: /^clearing_unexplained:[a-z]+:\d{4}-\d{2}(:\d+)?$/,
  // By line, or by a match that two people made.
  fee_unexplained: /^fee_unexplained:[0-9A-HJKMNP-TV-Z]{26}$/,
  amount_differs: /^amount_differs:(match:)?[0-9A-HJKMNP-TV-Z]{26}$/,
  // By item.
  refund_not_reflected: /^refund_not_reflected:(refund|payment|service):/,
};

export const CLASSES_OF_RUNS: readonly BreakClass[] = BREAK_CLASSES.filter(
  (each) => ALWAYS_OF_RUNS.includes(each) || OF_RUNS[each] !== undefined,
);

/** Returns whether runs open and close a break. */
export function isOfRuns({ breakClass, fingerprint }: Pick<ReconBreak, 'breakClass' | 'fingerprint'>): boolean {
  return ALWAYS_OF_RUNS.includes(breakClass) || (OF_RUNS[breakClass]?.test(fingerprint) ?? false);
}

/**
 * Returns the breaks of an inference as the workflow stores them, without contradicting observations: the status check
 * opens those breaks.
 */
export function toNewBreaks(found: readonly NamedBreak[], credits: readonly InferredCredit[]): NewBreak[] {
  const creditOf = new Map(credits.map((credit) => [credit.lineId, credit]));
  return found.flatMap(({ breakClass: name, fingerprint, amount, itemIds, lineIds, since }) => {
    const breakClass = BREAK_CLASSES.find((each) => each === name);
    assert(breakClass !== undefined, 'the inference names breaks of the list');
    if (!isOfRuns({ breakClass, fingerprint })) return [];
    const credit = creditOf.get(lineIds[0] ?? '');
    const facts = {
      ...(itemIds.length === 0 ? {} : { items: itemIds.length }),
      ...(credit === undefined || breakClass === 'returned_payout' ? {} : factsOf(credit)),
    };
    const subject = { itemIds: itemIds.slice(0, ITEM_IDS_KEPT_MAX), lineIds, facts };
    const direction = directionOfRun(breakClass, { amount, lineIds }, credit);
    return [{ fingerprint, breakClass, since, amount, direction, subject }];
  });
}

/**
 * Returns the direction of a break of a run. The inference reports credits and the rest of their items as bank less
 * ledger, and items as what the ledger expects. Pure.
 */
function directionOfRun(
  breakClass: BreakClass,
  { amount, lineIds }: Pick<NamedBreak, 'amount' | 'lineIds'>,
  credit: InferredCredit | undefined,
): Direction {
  switch (breakClass) {
    case 'missing_in_book':
    case 'amount_differs':
      return directionOf(-amount);
    case 'fee_unexplained':
      // Otherwise the amount is the whole credit, and its items are not known.
      return credit !== undefined && credit.remainder < 0 ? 'books_have_more' : 'unknown';
    case 'ambiguous_payout':
      return 'unknown';
    case 'returned_payout':
      // The credit and its return; a third line is the repeated payment, after which the sides agree.
      return lineIds.length === 2 ? 'books_have_more' : 'unknown';
    default:
      return directionOf(amount);
  }
}

function factsOf({ outcome, cause, remainder, proposal }: InferredCredit): Record<string, string | number> {
  return {
    outcome,
    cause,
    remainderMillimes: remainder,
    ...(proposal.length === 0
      ? {}
      : { proposed: proposal.length, proposal: proposal.slice(0, PROPOSAL_SHOWN_MAX).join(' ') }),
  };
}
