import { addToGroup, DAY_MS } from '../../kernel';
import { at, elementAt } from '../at';
import type { DayGrid } from '../day-grid';
import type { Credit } from '../find-links';
import { lowerBound } from '../lower-bound';
import type { StreamItems } from '../order-stream';
import { payoutFees, type Priced } from '../price-stream';
import type { OrderedWaits } from './ordered-waits';
import { type Wait, WAIT_DAYS_MAX } from './wait-of-item';

/** With more candidates than this, a credit cannot be distinguished from others of its amount. */
const CANDIDATES_MAX = 48;
/** The number of payments that together cover one clawback. */
const CLAWBACK_PAYMENTS_MAX = 10;
/** The number of clawbacks that one credit covers. */
const CLAWBACKS_MAX = 3;

/** A credit and its possible payment: one item, or clawbacks with the payments that cover them. */
export interface Pair {
  readonly credit: Credit;
  /** In ascending order. */
  readonly positions: readonly number[];
  readonly wait: Wait;
  readonly clawback: Clawback | undefined;
}

/** A cut deducts all owed clawbacks, and its first payments cover them. These conditions must hold for the pair. */
export interface Clawback {
  /** The position of the payment that must be the first of its cut. */
  readonly firstOfCut: number;
  readonly owed: readonly number[];
  /** The refunds before and after the owed ones: another cut deducts them. */
  readonly others: readonly number[];
}

export interface FoundPairs {
  readonly pairs: readonly Pair[];
  /** Credits with too many candidates, with some of the candidates. */
  readonly crowded: ReadonlyMap<Credit, readonly number[]>;
  /** By amount, the positions of the payments of that net amount. */
  readonly alike: ReadonlyMap<number, readonly number[]>;
}

/** The net amounts of the items while one set of fee rules applies, and the time in which it applies. */
interface NetAmounts {
  readonly net: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly priced: Priced;
}

/** Finds every pair of a credit with items of exactly its net amount that a cut could have taken shortly before. */
export function findPairs(
  { sequence, waits }: OrderedWaits,
  priced: readonly Priced[],
  credits: readonly Credit[],
  grid: DayGrid,
): FoundPairs {
  const creditsOf = new Map<number, Credit[]>();
  for (const credit of credits) {
    addToGroup(creditsOf, credit.amount, credit);
  }
  const pairs: Pair[] = [];
  const crowded = new Map<Credit, readonly number[]>();
  const alike = new Map<number, readonly number[]>();
  for (const version of priced) {
    const netAmounts = netAmountsOf(sequence, version, grid);
    // All pairs of an item share one wait, so that its values are computed once.
    const bounded = waits.map((wait) => boundedTo(netAmounts, wait));
    const positionsOf = new Map<number, number[]>();
    netAmounts.net.forEach((net, position) => {
      if (at(sequence.amount, position) <= 0) return;
      addToGroup(positionsOf, net, position);
    });
    for (const [amount, positions] of positionsOf) {
      if (positions.length > (alike.get(amount)?.length ?? 0)) alike.set(amount, positions);
      for (const credit of creditsOf.get(amount) ?? []) {
        const near = nearOf(credit, positions, sequence);
        if (near.length > CANDIDATES_MAX) crowded.set(credit, near.slice(0, CANDIDATES_MAX));
        else {
          for (const position of near) {
            const wait = bounded[position];
            if (wait !== undefined) pairs.push({ credit, positions: [position], wait, clawback: undefined });
          }
        }
      }
    }
    addClawbacks(pairs, { sequence, waits }, netAmounts, creditsOf);
  }
  const kept = pairs.filter(({ credit }) => !crowded.has(credit));
  // By day, with the pairs of one credit side by side under any fees, because it is paid once.
  return { pairs: kept.sort((a, b) => a.credit.index - b.credit.index), crowded, alike };
}

function netAmountsOf(sequence: StreamItems, priced: Priced, grid: DayGrid): NetAmounts {
  const { perPayout } = priced;
  const net = priced.net.slice();
  if (perPayout !== undefined) {
    for (let position = 0; position < sequence.size; position += 1) {
      if (at(sequence.amount, position) > 0) {
        net[position] = at(net, position) - feeTogether(sequence, priced, [position]);
      }
    }
  }
  return {
    net,
    from: priced.fromDay === 0 ? -Infinity : at(grid.startAt, priced.fromDay),
    to: priced.toDay >= grid.days ? Infinity : at(grid.startAt, priced.toDay),
    priced,
  };
}

/** Returns the fee of a transfer of these items as a whole. */
function feeTogether(sequence: StreamItems, { perPayout }: Priced, positions: readonly number[]): number {
  if (perPayout === undefined) return 0;
  const sums = new Float64Array(perPayout.terms.length);
  for (const position of positions) {
    const group = at(perPayout.group, position);
    const amount = at(sequence.amount, position);
    if (group >= 0 && amount > 0) sums[group] = at(sums, group) + amount;
  }
  return payoutFees(sums, perPayout.terms);
}

/** Returns the positions, in ascending order, that a payout on the credit's day can have taken. */
function nearOf({ earliest, latest }: Credit, positions: readonly number[], sequence: StreamItems): readonly number[] {
  const from = firstWith(positions, sequence, earliest - WAIT_DAYS_MAX * DAY_MS);
  let to = from;
  while (to < positions.length && at(sequence.key, elementAt(positions, to)) < latest && to - from <= CANDIDATES_MAX) {
    to += 1;
  }
  return positions.slice(from, to);
}

function firstWith(positions: readonly number[], sequence: StreamItems, instant: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(sequence.key, elementAt(positions, middle)) >= instant) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the part of a wait in which the fees apply; undefined if nothing is left. */
function boundedTo({ from, to }: NetAmounts, wait: Wait): Wait | undefined {
  if (wait.from >= from && wait.to <= to) return wait.from < wait.to ? wait : undefined;
  const bounded = { ...wait, from: Math.max(wait.from, from), to: Math.min(wait.to, to) };
  return bounded.from < bounded.to ? bounded : undefined;
}

/** Adds pairs with clawbacks. A clawback waits for a cut, and the first payments of the cut cover it. */
function addClawbacks(
  pairs: Pair[],
  { sequence, waits }: Pick<OrderedWaits, 'sequence' | 'waits'>,
  netAmounts: NetAmounts,
  creditsOf: ReadonlyMap<number, readonly Credit[]>,
): void {
  const refunds: number[] = [];
  for (let position = 0; position < sequence.size; position += 1) {
    if (at(sequence.amount, position) < 0) refunds.push(position);
  }
  const waitMs = WAIT_DAYS_MAX * DAY_MS;
  refunds.forEach((refund, place) => {
    for (let count = 1; count <= CLAWBACKS_MAX; count += 1) {
      const owed = refunds.slice(place, place + count);
      const last = owed.at(-1) ?? refund;
      if (owed.length < count || at(sequence.key, last) - at(sequence.key, refund) > waitMs) return;
      const others = [refunds[place - 1] ?? -1, refunds[place + count] ?? -1].filter((position) => position >= 0);
      let start = lowerBound(sequence.key, at(sequence.key, last) - waitMs, 0, sequence.size);
      for (; start < sequence.size && at(sequence.key, start) < at(sequence.key, refund) + waitMs; start += 1) {
        const group = coveringFrom(sequence, netAmounts, start, owed);
        if (group === undefined) continue;
        const latest = Math.max(...group.positions);
        const wait = waits[latest];
        if (wait === undefined) continue;
        for (const credit of creditsOf.get(group.net) ?? []) {
          const isNear =
            credit.latest > at(sequence.key, latest) &&
            credit.earliest - waitMs < at(sequence.key, Math.min(start, refund));
          const clawback = { firstOfCut: start, owed, others };
          const bounded = boundedTo(netAmounts, waitOf(group.positions, waits, wait));
          if (isNear && bounded !== undefined) {
            pairs.push({ credit, positions: group.positions, wait: bounded, clawback });
          }
        }
      }
    }
  });
}

/** Returns the payments from a position on that together exceed the owed amount. */
function coveringFrom(
  sequence: StreamItems,
  { net, priced }: NetAmounts,
  start: number,
  owed: readonly number[],
): { readonly positions: readonly number[]; readonly net: number } | undefined {
  if (at(sequence.amount, start) <= 0) return undefined;
  const taken: number[] = [];
  const refunded = new Set(owed.map((position) => at(sequence.payment, position)));
  const debt = owed.reduce((sum, position) => sum + at(net, position), 0);
  let gross = debt;
  for (let position = start; position < sequence.size && taken.length < CLAWBACK_PAYMENTS_MAX; position += 1) {
    if (at(sequence.amount, position) <= 0) continue;
    // A payment and its own refund leave together and cover nothing.
    if (refunded.has(position)) return undefined;
    taken.push(position);
    gross += at(priced.net, position);
    const together = gross - feeTogether(sequence, priced, taken);
    if (together > 0) return { positions: [...taken, ...owed].sort((a, b) => a - b), net: together };
  }
  return undefined;
}

/**
 * Returns the wait of several items: their cut comes after each of them, and no observation of any of them contradicts
 * it.
 */
function waitOf(positions: readonly number[], waits: readonly Wait[], latest: Wait): Wait {
  return positions.reduce((together, position) => {
    const wait = waits[position];
    if (wait === undefined) return together;
    return {
      ...together,
      to: Math.min(together.to, wait.to),
      seenOpen: Math.max(together.seenOpen, wait.seenOpen),
      seenTaken: Math.min(together.seenTaken, wait.seenTaken),
    };
  }, latest);
}
