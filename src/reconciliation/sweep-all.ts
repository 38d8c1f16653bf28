import {
  addDays,
  assert,
  type BusinessCalendar,
  type BusinessDate,
  type Instant,
  type Millimes,
  type WorkingDays,
} from '../kernel';

/** One amount that the gateway owes us. `availableUntil` is the latest instant at which it can have become available. */
export interface OpenItem {
  readonly itemId: string;
  readonly amount: Millimes;
  readonly availableAfter: Instant | undefined;
  readonly availableUntil: Instant;
}

/** A line of a bank statement that may be a payout of the gateway. */
export interface BankCredit {
  readonly lineId: string;
  readonly bookingDate: BusinessDate;
  readonly amount: Millimes;
}

/** A credit and the one run of items that it paid. */
export interface ResolvedCredit {
  readonly credit: BankCredit;
  readonly items: readonly OpenItem[];
  /** The cut lies in `[after, until)`: after the last item, before the next one and before the booking day ends. */
  readonly cut: { readonly after: Instant; readonly until: Instant };
}

export interface SweepResult {
  readonly resolved: readonly ResolvedCredit[];
  /** Credits that could each be the next payout, of which only one can: nobody may choose between them. */
  readonly ambiguous: readonly BankCredit[];
  readonly unexplained: readonly BankCredit[];
  /** What no credit paid, in the order of availability. */
  readonly unpaid: readonly OpenItem[];
}

export interface SweepContext {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

/** A bank books a payout at most this many working days after the cut. Further apart, an equal sum is chance. */
export const BANK_LAG_WORKING_DAYS_MAX = 5;

interface Candidate {
  readonly credit: BankCredit;
  /** The index after the last item of the run. */
  readonly end: number;
}

/** One payout of the chain: the run of items from `start` up to `end`, and every credit that could have been it. */
interface Step {
  readonly start: number;
  readonly end: number;
  readonly credit: BankCredit;
  readonly rivals: readonly BankCredit[];
}

/**
 * The payout model `sweep-all`, first version: at one instant the gateway takes all that is available and sends it in
 * one transfer. So a payout is the run of items from the previous cut to the next, and a credit is explained when it
 * equals such a run to the millime. Amounts are positive, so from one cut at most one run has a given sum. Pure: the
 * answer does not depend on the order of its input.
 */
export function explainBySweep(
  openItems: readonly OpenItem[],
  credits: readonly BankCredit[],
  context: SweepContext,
): SweepResult {
  const items = [...openItems].sort(byAvailability);
  const endOfSum = prefixSums(items);
  const waiting = [...credits].sort(byBooking);
  const steps: Step[] = [];
  let start = 0;
  let sumBefore = 0n;
  let ambiguous: readonly BankCredit[] = [];
  while (start < items.length) {
    const candidates = candidatesFrom(start, sumBefore, items, endOfSum, waiting, context);
    const [next] = candidates;
    if (next === undefined) break;
    const rivals = candidates.map(({ credit }) => credit);
    // Equal amounts on two days are two payouts in their order; different amounts are two stories.
    if (rivals.some(({ amount }) => amount !== next.credit.amount)) {
      ambiguous = rivals;
      break;
    }
    steps.push({ start, credit: next.credit, end: next.end, rivals });
    waiting.splice(waiting.indexOf(next.credit), 1);
    start = next.end;
    sumBefore += BigInt(next.credit.amount);
  }
  const doubtful = firstDoubtful(steps);
  if (doubtful !== undefined) ambiguous = doubtful.rivals;
  const sure = doubtful === undefined ? steps : steps.slice(0, steps.indexOf(doubtful));
  const settled = new Set([...sure.map(({ credit }) => credit), ...ambiguous]);
  return {
    resolved: sure.map(({ credit, ...run }) => ({
      credit,
      items: items.slice(run.start, run.end),
      cut: cutOf(items, run.end, credit, context),
    })),
    ambiguous,
    unexplained: [...credits].sort(byBooking).filter((credit) => !settled.has(credit)),
    unpaid: items.slice(sure.at(-1)?.end ?? 0),
  };
}

/** The first payout that another credit of the same amount claims too, while no run of its own explains that one. */
function firstDoubtful(steps: readonly Step[]): Step | undefined {
  const explained = new Set(steps.map(({ credit }) => credit));
  return steps.find(({ rivals }) => rivals.some((rival) => !explained.has(rival)));
}

function candidatesFrom(
  start: number,
  sumBefore: bigint,
  items: readonly OpenItem[],
  endOfSum: ReadonlyMap<bigint, number>,
  credits: readonly BankCredit[],
  context: SweepContext,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const credit of credits) {
    const end = endOfSum.get(sumBefore + BigInt(credit.amount));
    if (end !== undefined && end > start && isPlausible(items, end, credit, context)) candidates.push({ credit, end });
  }
  return candidates;
}

/** Whether a cut after item `end - 1` and before item `end` can have been booked on the credit's day. */
function isPlausible(items: readonly OpenItem[], end: number, credit: BankCredit, context: SweepContext): boolean {
  const { calendar, workingDays } = context;
  const { after, until } = cutOf(items, end, credit, context);
  // What became available at one instant is swept at one instant, and nothing is booked before it was swept.
  if (until <= after) return false;
  const latestCut = workingDays.onOrAfter(calendar.dateOf(until - 1));
  return credit.bookingDate <= workingDays.add(latestCut, BANK_LAG_WORKING_DAYS_MAX);
}

/** Where the cut lies when the credit paid the items up to `end`; empty (`until <= after`) when it cannot have. */
function cutOf(
  items: readonly OpenItem[],
  end: number,
  credit: BankCredit,
  { calendar }: SweepContext,
): ResolvedCredit['cut'] {
  const last = items[end - 1];
  assert(last !== undefined, 'a run has at least one item');
  const dayEnd = calendar.startOf(addDays(credit.bookingDate, 1));
  return { after: last.availableUntil, until: Math.min(items[end]?.availableUntil ?? dayEnd, dayEnd) };
}

/** The sum of the first n items, for every n, as a way from the sum to n. */
function prefixSums(items: readonly OpenItem[]): Map<bigint, number> {
  const ends = new Map<bigint, number>();
  let sum = 0n;
  items.forEach(({ amount }, index) => {
    assert(amount > 0, 'an item of an agent is positive, so no two prefixes have one sum');
    sum += BigInt(amount);
    ends.set(sum, index + 1);
  });
  return ends;
}

function byAvailability(a: OpenItem, b: OpenItem): number {
  return a.availableUntil - b.availableUntil || compareText(a.itemId, b.itemId);
}

function byBooking(a: BankCredit, b: BankCredit): number {
  return compareText(a.bookingDate, b.bookingDate) || compareText(a.lineId, b.lineId);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
