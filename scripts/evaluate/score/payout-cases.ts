import { addDays, type BusinessDate, type Instant, WorkingDays } from '../../../src/kernel';
import type { BankLine, Item } from '../../../src/payout-inference';
import type { TrueLine, TrueStream, World } from '../world';
import { type KnownTimes, knownTimes } from './known-times';
import type { Candidate, PayoutCase } from './payout-case';
import { quickCalendar } from './quick-calendar';
import { lastCutOf, type TrueBook, trueBook } from './true-book';
import { feeRuleOf, feeWithTvaMillimes } from './true-fee';

/** A bank books a payout on the day of its cut or at most this number of working days later. */
const BOOKING_LAG_MAX = 5;

/** The kinds of credits that contain whole payouts of known items: only they can be resolved. */
export const WHOLE_KINDS: ReadonlySet<TrueLine['kind']> = new Set([
  'payout',
  'merged',
  'returned_credit',
  'paid_again',
]);

interface Surroundings {
  readonly world: World;
  readonly book: TrueBook;
  readonly times: ReadonlyMap<string, KnownTimes>;
  /** The true cuts of each stream, in order. */
  readonly cuts: ReadonlyMap<TrueStream, readonly Instant[]>;
  /** The credits of a cut, by stream and instant. */
  readonly linesOfCut: ReadonlyMap<string, readonly TrueLine[]>;
  /** Whether these files state some items too late. */
  readonly statesLate: boolean;
  readonly earliestCutOf: (line: BankLine) => Instant;
  readonly latestCutOf: (line: BankLine) => Instant;
}

/**
 * Returns the questions for the ideal reader: one case for each credit that contains only whole payouts of known items.
 */
export function payoutCases(world: World): PayoutCase[] {
  const around = surroundings(world);
  return world.files.lines.flatMap((line) => {
    const truth = around.book.lines.get(line.lineId);
    return truth === undefined || !isWhole(truth) ? [] : [caseOf(line, truth, around)];
  });
}

export function isWhole({ kind, unknownMillimes, itemIds, cuts }: TrueLine): boolean {
  return WHOLE_KINDS.has(kind) && unknownMillimes === 0 && itemIds.length > 0 && cuts.length > 0;
}

function caseOf(line: BankLine, truth: TrueLine, around: Surroundings): PayoutCase {
  const last = lastCutOf(truth);
  const { stream, cutAt } = last ?? { stream: 'all', cutAt: 0 };
  const firstCutAt = Math.min(...truth.cuts.filter((cut) => cut.stream === stream).map((cut) => cut.cutAt));
  const cuts = around.cuts.get(stream) ?? [];
  const nextCutAt = cuts.find((cut) => cut > cutAt) ?? Infinity;
  const previousCutAt = cuts.findLast((cut) => cut < firstCutAt) ?? -Infinity;
  const paid = new Set(truth.itemIds);
  const next = around.linesOfCut.get(`${stream}:${nextCutAt}`) ?? [];
  const open = stillOpen(stream, { paid, previousCutAt, nextCutAt, next }, around);
  return {
    lineId: line.lineId,
    candidates: open.map((item) => candidateOf(item, { isPaid: paid.has(item.itemId), cutAt, nextCutAt }, around)),
    cutAt,
    nextCutAt,
    nextLineIds: next.every(isWhole) ? next.map(({ lineId }) => lineId) : [],
    window: {
      after: Math.max(previousCutAt, around.earliestCutOf(line) - 1),
      // The next cut has its own credit, so only instants before it are open here.
      until: Math.min(nextCutAt - 1, around.latestCutOf(line)),
    },
  };
}

interface Bounds {
  readonly paid: ReadonlySet<string>;
  readonly previousCutAt: Instant;
  readonly nextCutAt: Instant;
  readonly next: readonly TrueLine[];
}

/**
 * Returns the items of this credit and of the next cut. If the credit of the next cut is a whole payout, no other item
 * can take part, because an item that one of the two loses must be in the other. Otherwise unpaid items may take part
 * as well.
 */
function stillOpen(stream: TrueStream, { paid, previousCutAt, nextCutAt, next }: Bounds, around: Surroundings): Item[] {
  const paidNext = new Set(next.flatMap(({ itemIds }) => itemIds));
  const nextIsWhole = next.length > 0 && next.every(isWhole);
  const { trueItems, streamOf } = around.book;
  return around.world.files.items.filter((item) => {
    if (paid.has(item.itemId) || paidNext.has(item.itemId)) return true;
    const truth = trueItems.get(item.itemId);
    if (nextIsWhole || truth === undefined || truth.cancelled || truth.paidByLineIds.length > 0) return false;
    return streamOf(item) === stream && previousCutAt < truth.availableAt && truth.availableAt <= nextCutAt;
  });
}

interface TrueCase {
  readonly isPaid: boolean;
  readonly cutAt: Instant;
  readonly nextCutAt: Instant;
}

function candidateOf(item: Item, { isPaid, cutAt, nextCutAt }: TrueCase, around: Surroundings): Candidate {
  const times = around.times.get(item.itemId);
  const recordedLate = around.book.trueItems.get(item.itemId)?.recordedLate ?? false;
  const trueCutAt = isPaid ? cutAt : nextCutAt;
  // An observation that contradicts the truth misleads every other reader; this one ignores it.
  const isHonest = times !== undefined && times.cutAfter < trueCutAt && trueCutAt <= times.cutUntil;
  return {
    itemId: item.itemId,
    isPaid,
    recordedLate,
    recordedAt: around.statesLate && item.channel !== 'card' && item.amount > 0 ? item.succeededAt : undefined,
    // No reader knows better than the files when such an item became available.
    earliest: (recordedLate ? undefined : times?.earliest) ?? item.succeededAt,
    latest: (recordedLate ? undefined : times?.latest) ?? item.succeededAt,
    cutAfter: isHonest ? times.cutAfter : -Infinity,
    cutUntil: isHonest ? times.cutUntil : Infinity,
    ...netOf(item, cutAt, around),
  };
}

function netOf(item: Item, cutAt: Instant, around: Surroundings): Pick<Candidate, 'netMillimes' | 'payoutFee'> {
  const { truth } = around.world;
  const rule = feeRuleOf(truth.fees, item.channel, CALENDAR.dateOf(cutAt));
  if (item.amount > 0) {
    if (rule?.basis === 'payout') {
      return { netMillimes: item.amount, payoutFee: { amountMillimes: item.amount, rule } };
    }
    const fee = rule === undefined ? 0 : feeWithTvaMillimes(item.amount, rule);
    return { netMillimes: item.amount - fee, payoutFee: undefined };
  }
  const payment = around.book.items.get(item.refundOf ?? '');
  const paidAt = payment === undefined ? undefined : around.book.cutOf(payment.itemId);
  if (truth.clawbackFee === 'kept' || payment === undefined || paidAt === undefined) {
    return { netMillimes: item.amount, payoutFee: undefined };
  }
  const charged = feeRuleOf(truth.fees, payment.channel, CALENDAR.dateOf(paidAt));
  const back = charged?.basis === 'item' ? feeWithTvaMillimes(payment.amount, charged) : 0;
  return { netMillimes: item.amount + back, payoutFee: undefined };
}

const CALENDAR = quickCalendar();

function surroundings(world: World): Surroundings {
  const workingDays = new WorkingDays(world.files.holidays);
  const cuts = new Map<TrueStream, Instant[]>();
  for (const { stream, cutAt } of world.truth.cuts) cuts.set(stream, [...(cuts.get(stream) ?? []), cutAt]);
  const linesOfCut = new Map<string, TrueLine[]>();
  for (const line of world.truth.lines) {
    for (const { stream, cutAt } of line.cuts) {
      const key = `${stream}:${cutAt}`;
      linesOfCut.set(key, [...(linesOfCut.get(key) ?? []), line]);
    }
  }
  return {
    world,
    book: trueBook(world),
    times: knownTimes(world),
    cuts: new Map([...cuts].map(([stream, instants]) => [stream, [...new Set(instants)].sort((a, b) => a - b)])),
    linesOfCut,
    statesLate: world.truth.items.some(({ recordedLate }) => recordedLate),
    earliestCutOf: ({ bookingDate }) => CALENDAR.startOf(earliestCutDay(bookingDate, workingDays)),
    latestCutOf: ({ bookingDate }) => CALENDAR.startOf(addDays(bookingDate, 1)) - 1,
  };
}

/** Returns the first day of a cut that a bank books on this day at the latest. */
function earliestCutDay(bookingDate: BusinessDate, workingDays: WorkingDays): BusinessDate {
  let day = bookingDate;
  while (workingDays.countBetween(addDays(day, -1), bookingDate) <= BOOKING_LAG_MAX) day = addDays(day, -1);
  return day;
}
