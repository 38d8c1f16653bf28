import { elementAt } from './at';
import type { ExpectedPayout } from './expected-payouts';
import type { Credit } from './find-links';

/** A credit with an unknown amount still differs from its run by at most this share. */
const ALIKE = 0.2;
/** A credit below this share of a payout is another payer's money and not a part of it. */
const PART_MIN = 0.05;
/**
 * Two credits that make up a payout are rarer than one with an unknown amount. Their sum must be nearer by this share.
 */
const PARTS_ARE_RARER = 0.02;
const PARTS_TRIED_MAX = 12;
const OPTIONS_OF_RUN_MAX = 6;
/** The number of choices that are compared. Credits of many similar runs allow an enormous number. */
const CHOICES_MAX = 20_000;
const FEE_SHARE_MAX = 0.02;
/** If the cuts of a run are only expected, a credit between these shares of its sum may pay it. */
const PERHAPS_ITS_OWN = { from: 0.5, to: 1.5 } as const;

/** A run between two cuts of a gap, with the credits that may be booked for it. */
export interface GapPayout extends ExpectedPayout {
  readonly total: number;
  readonly credits: readonly Credit[];
}

export interface AssignedCredit {
  readonly run: ExpectedPayout & { readonly total: number };
  readonly credit: Credit;
  /** Whether the credit is about as large as the run. Otherwise it may be a part of it. */
  readonly isWhole: boolean;
}

/**
 * Returns, for each gap of a stream, the credits that may have paid its runs. One credit may have paid two runs of a
 * gap, and two credits one run. The gaps are assigned together, because a credit may be booked for runs of more than
 * one gap.
 */
export function assignGapCredits(gaps: readonly (readonly GapPayout[])[]): AssignedCredit[][] {
  const likenesses = likeliest(gaps);
  const isIn = (gap: readonly GapPayout[], { from, to }: { readonly from: number; readonly to: number }): boolean =>
    gap.some((run) => from <= run.from && run.to <= to);
  const found = gaps.map((gap) =>
    likenesses
      .filter(({ run }) => isIn(gap, run))
      .flatMap(({ run, credits }) =>
        credits.map((credit): AssignedCredit => ({ run, credit, isWhole: credits.length === 1 })),
      ),
  );
  const taken = new Set(found.flat().map(({ credit }) => credit.index));
  gaps.forEach((gap, index) => {
    if (gap.length > 1) found[index]?.push(...perhapsOf(gap, likenesses, taken));
  });
  return found;
}

/**
 * Adds the credits that may belong to runs with only expected cuts, which may be larger or smaller than they seem. Adds
 * them to `taken`, too.
 */
function perhapsOf(gap: readonly GapPayout[], likenesses: readonly Likeness[], taken: Set<number>): AssignedCredit[] {
  const found: AssignedCredit[] = [];
  for (const run of gap) {
    if (likenesses.some(({ run: { from, to } }) => from <= run.from && run.to <= to)) continue;
    const perhaps = run.credits.filter(
      ({ index, amount }) => !taken.has(index) && isBetween(amount / run.total, PERHAPS_ITS_OWN),
    );
    for (const credit of perhaps) {
      taken.add(credit.index);
      found.push({ run, credit, isWhole: false });
    }
  }
  return found;
}

/**
 * Returns the choice that assigns a credit to most runs, each credit at most once; among equals, the one with the least
 * difference.
 */
function likeliest(gaps: readonly (readonly GapPayout[])[]): readonly Likeness[] {
  const runs = gaps.flat();
  const lasts = new Set(gaps.map((gap) => gap.at(-1)));
  const optionsOf = runs.map((run, index) => {
    const next = lasts.has(run) ? undefined : runs[index + 1];
    const single = [...wholes(run), ...parts(run)].map((likeness) => ({ likeness, runs: 1 }));
    const both = next === undefined ? [] : wholes(joined(run, next)).map((likeness) => ({ likeness, runs: 2 }));
    return [...single, ...both].sort((a, b) => byLikeness(a.likeness, b.likeness)).slice(0, OPTIONS_OF_RUN_MAX);
  });
  const known = new Map<string, Choice>();
  let visited = 0;
  const wantedFrom = runs.map(
    (_, index) => new Set(optionsOf.slice(index).flatMap((own) => own.flatMap(creditsOfOption))),
  );
  // A credit that no later run can have need not be remembered.
  const stillWanted = (index: number, taken: readonly number[]): number[] =>
    taken.filter((credit) => wantedFrom[index]?.has(credit) === true);
  const from = (index: number, taken: readonly number[]): Choice => {
    if (index >= runs.length) return NO_CHOICE;
    const key = `${index} ${taken.join()}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    visited += 1;
    const open = elementAt(optionsOf, index).filter(
      (option) => !creditsOfOption(option).some((credit) => taken.includes(credit)),
    );
    // If too many choices are left, each run gets the credit that differs least from it.
    const isBeyond = visited > CHOICES_MAX;
    const tried = isBeyond ? open.slice(0, 1) : open;
    let best = isBeyond && tried.length > 0 ? NO_CHOICE : from(index + 1, stillWanted(index + 1, taken));
    for (const { likeness, runs: count } of tried) {
      const own = creditsOfOption({ likeness });
      const rest = from(
        index + count,
        stillWanted(index + count, [...taken, ...own]).sort((a, b) => a - b),
      );
      const choice = { likenesses: [likeness, ...rest.likenesses], score: rest.score + count - likeness.off };
      if (choice.score > best.score) best = choice;
    }
    known.set(key, best);
    return best;
  };
  return from(0, []).likenesses;
}

function creditsOfOption({ likeness }: { readonly likeness: Likeness }): number[] {
  return likeness.credits.map(({ index }) => index);
}

interface Choice {
  readonly likenesses: readonly Likeness[];
  readonly score: number;
}

const NO_CHOICE: Choice = { likenesses: [], score: 0 };

/** Credits that together may have paid a run, and the share by which they differ from it. */
interface Likeness {
  readonly run: GapPayout;
  readonly credits: readonly Credit[];
  readonly off: number;
}

function wholes(run: GapPayout): Likeness[] {
  return run.credits
    .map((credit) => ({ run, credits: [credit], off: Math.abs(credit.amount / run.total - 1) }))
    .filter(({ off }) => run.total > 0 && off <= ALIKE);
}

/** Returns the pairs of credits whose sum is nearer to the run than one credit is by chance. */
function parts(run: GapPayout): Likeness[] {
  const credits = run.credits.filter(({ amount }) => amount >= PART_MIN * run.total).slice(0, PARTS_TRIED_MAX);
  return credits
    .flatMap((first, index) =>
      credits.slice(index + 1).map((second) => {
        const off = Math.abs((first.amount + second.amount) / run.total - 1) + PARTS_ARE_RARER;
        return { run, credits: [first, second], off };
      }),
    )
    .filter(({ off }) => off <= ALIKE);
}

function byLikeness(a: Likeness, b: Likeness): number {
  return a.off - b.off || a.run.from - b.run.from || elementAt(a.credits, 0).index - elementAt(b.credits, 0).index;
}

/** Returns whether every run of the gap has its credit and their total difference is at most a fee. */
export function isLessByAFee(paid: readonly AssignedCredit[], runs: readonly GapPayout[]): boolean {
  if (!paid.every(({ isWhole }) => isWhole)) return false;
  const total = runs.reduce((sum, run) => sum + run.total, 0);
  if (paid.reduce((sum, { run }) => sum + run.total, 0) !== total) return false;
  const lacking = total - paid.reduce((sum, { credit }) => sum + credit.amount, 0);
  return lacking > 0 && lacking <= FEE_SHARE_MAX * total;
}

function joined(first: GapPayout, second: GapPayout): GapPayout {
  const booked = new Set([...first.credits, ...second.credits]);
  return {
    from: first.from,
    to: second.to,
    fromEarliest: first.fromEarliest,
    toLatest: second.toLatest,
    total: first.total + second.total,
    credits: [...booked],
  };
}

function isBetween(share: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return share >= from && share <= to;
}
