import {
  addDays,
  businessCalendar,
  businessDate,
  HOUR_MS,
  millimes,
  MINUTE_MS,
  WorkingDays,
} from '../../../src/kernel';
import {
  type BankLine,
  type Channel,
  inferPayouts,
  type Item,
  type MatchRequest,
  type Observation,
  type PastPayout,
} from '../../../src/payout-inference';
import { type Random, randomFrom } from '../../support/random';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const FIRST_DAY = businessDate('2026-03-02');
/** Cards become available on the next working day at this hour. */
const CARDS_HOUR = 6;
const POLL_MS = 4 * HOUR_MS;
/** Status checks end this long after the payout. */
const POLLED_AFTER_MS = 48 * HOUR_MS;
const EIGHT_PRICES = [9_900, 12_500, 15_000, 19_900, 25_000, 35_000, 49_900, 80_000];

/** When a stream is cut: at an hour of each working day, when its balance exceeds a sum, or by hand. */
export type CutPlan =
  | { readonly kind: 'daily'; readonly hour: number; readonly driftMinutesPerDay?: number }
  | { readonly kind: 'threshold'; readonly millimes: number }
  | { readonly kind: 'by_hand'; readonly daysBetween: readonly [min: number, max: number] };

export interface FilePlan {
  readonly seed: number;
  readonly days: number;
  readonly itemsPerDay: number;
  /** The channels and their shares of the items. */
  readonly channels: readonly (readonly [Channel, number])[];
  /** The channels of each transfer, and when it is cut. The others are never paid to this account. */
  readonly transfers: readonly { readonly channels: readonly Channel[]; readonly cut: CutPlan }[];
  readonly amounts: 'millimes' | 'dinars' | 'prices';
  /** Working days from the cut to the booking. */
  readonly lag: number;
  /** Each payment of the first channel has one of the second, of the same amount and a minute later. */
  readonly pairs?: readonly [Channel, Channel];
  /** Payments of one price that come each evening. */
  readonly evening?: { readonly channel: Channel; readonly count: number; readonly millimes: number };
  /** Whether status checks saw the cards. */
  readonly isObserved?: boolean;
  /** Credits of other payers per hundred payouts. */
  readonly othersPercent?: number;
}

/** A file, and by line the items that it paid. */
export interface PaidFile {
  readonly request: MatchRequest;
  readonly truth: ReadonlyMap<string, readonly string[]>;
}

/** Returns a payout of a file, whose only stream is `all`, as an earlier run settled it: cut on the day of its last item. */
export function settledPayout({ request: { items }, truth }: PaidFile, { lineId, bookingDate }: BankLine): PastPayout {
  const paid = new Set(truth.get(lineId));
  const after = Math.max(...items.filter(({ itemId }) => paid.has(itemId)).map(({ succeededAt }) => succeededAt));
  return {
    stream: 'all',
    cut: { after, until: CALENDAR.startOf(addDays(CALENDAR.dateOf(after), 1)) },
    bookingDate,
  };
}

interface Available {
  readonly item: Item;
  readonly at: number;
}

/** Returns a file of a gateway with these habits, whose statement has every payout. */
export function paidFile(plan: FilePlan): PaidFile {
  const random = randomFrom(plan.seed);
  const all = itemsOf(plan, random);
  const lines: BankLine[] = [];
  const truth = new Map<string, readonly string[]>();
  const paidAt = new Map<string, number>();
  for (const { channels, cut } of plan.transfers) {
    const queue = all.filter(({ item }) => channels.includes(item.channel)).sort((a, b) => a.at - b.at);
    let from = 0;
    for (const { to, cutAt } of cutsOf(queue, cut, plan.days, random)) {
      const taken = queue.slice(from, to);
      from = to;
      if (taken.length === 0) continue;
      const bookingDate = WORKING_DAYS.add(WORKING_DAYS.onOrAfter(CALENDAR.dateOf(cutAt)), plan.lag);
      const lineId = `L${String(lines.length).padStart(4, '0')}`;
      const amount = millimes(taken.reduce((sum, { item }) => sum + item.amount, 0));
      lines.push({ lineId, bookingDate, valueDate: bookingDate, amount, counterparty: 'GATEWAY', remittance: 'VIR' });
      truth.set(
        lineId,
        taken.map(({ item }) => item.itemId),
      );
      for (const { item } of taken) paidAt.set(item.itemId, cutAt);
    }
  }
  for (const line of [...lines]) {
    if (random.below(100) >= (plan.othersPercent ?? 0)) continue;
    lines.push({ ...line, lineId: `X${line.lineId}`, amount: millimes(line.amount + 1_000 * (1 + random.below(900))) });
  }
  return {
    request: {
      items: all.map(({ item }) => item),
      observations: plan.isObserved === true ? observationsOf(all, paidAt) : [],
      lines,
      fees: [],
      calendar: CALENDAR,
      workingDays: WORKING_DAYS,
      maxError: 0.001,
    },
    truth,
  };
}

function itemsOf(plan: FilePlan, random: Random): Available[] {
  const { days, itemsPerDay, channels, amounts, pairs, evening } = plan;
  const total = channels.reduce((sum, [, share]) => sum + share, 0);
  const channelAt = (place: number): Channel => {
    let left = place;
    for (const [channel, share] of channels) {
      left -= share;
      if (left < 0) return channel;
    }
    throw new Error('the shares of the channels add up to less');
  };
  const items: Available[] = [];
  for (let day = 0; day < days; day += 1) {
    const start = CALENDAR.startOf(addDays(FIRST_DAY, day));
    const count = Math.round(itemsPerDay * (0.75 + random.below(500) / 1_000));
    const times = Array.from({ length: count }, () => 7 * HOUR_MS + random.below(15 * HOUR_MS)).sort((a, b) => a - b);
    times.forEach((time, place) => {
      const channel = channelAt(random.below(total));
      const succeededAt = start + time;
      const item = {
        itemId: `I${String(day).padStart(3, '0')}-${String(place).padStart(4, '0')}`,
        channel,
        amount: millimes(amountOf(amounts, random)),
        succeededAt,
      };
      const date = CALENDAR.dateOf(succeededAt);
      const at = channel === 'card' ? CALENDAR.startOf(WORKING_DAYS.add(date, 1)) + CARDS_HOUR * HOUR_MS : succeededAt;
      if (channel === pairs?.[1]) return;
      items.push({ item, at });
      if (channel !== pairs?.[0]) return;
      const twin = { itemId: `${item.itemId}-twin`, channel: pairs[1], succeededAt: succeededAt + MINUTE_MS };
      items.push({ item: { ...item, ...twin }, at: at + MINUTE_MS });
    });
    for (let place = 0; place < (evening?.count ?? 0); place += 1) {
      if (evening === undefined) break;
      const succeededAt = start + 20 * HOUR_MS + random.below(HOUR_MS);
      const item = {
        itemId: `E${String(day).padStart(3, '0')}-${place}`,
        channel: evening.channel,
        amount: millimes(evening.millimes),
        succeededAt,
      };
      items.push({ item, at: succeededAt });
    }
  }
  items.sort((a, b) => a.item.succeededAt - b.item.succeededAt);
  return items;
}

function amountOf(amounts: FilePlan['amounts'], random: Random): number {
  if (amounts === 'prices') return random.oneOf(EIGHT_PRICES);
  const dinars = 5 + random.below(20) * random.below(20);
  return amounts === 'dinars' ? dinars * 1_000 : dinars * 1_000 + random.below(1_000);
}

/** The positions at which each payout ends, with the instants. */
function cutsOf(
  queue: readonly Available[],
  cut: CutPlan,
  days: number,
  random: Random,
): { readonly to: number; readonly cutAt: number }[] {
  if (cut.kind === 'threshold') return cutsByThreshold(queue, cut.millimes);
  const cuts: { to: number; cutAt: number }[] = [];
  for (let day = 0; day < days; day += 1) {
    const date = addDays(FIRST_DAY, day);
    if (!WORKING_DAYS.isWorkingDay(date)) continue;
    const minutes =
      cut.kind === 'daily' ? cut.hour * 60 + day * (cut.driftMinutesPerDay ?? 0) : 8 * 60 + random.below(11 * 60);
    const cutAt = CALENDAR.startOf(date) + minutes * 60_000 + random.below(30_000);
    const later = queue.findIndex(({ at }) => at > cutAt);
    cuts.push({ to: later < 0 ? queue.length : later, cutAt });
    if (cut.kind === 'by_hand') {
      const [min, max] = cut.daysBetween;
      day += min - 1 + random.below(max - min + 1);
    }
  }
  return cuts;
}

function cutsByThreshold(queue: readonly Available[], most: number): { to: number; cutAt: number }[] {
  const cuts: { to: number; cutAt: number }[] = [];
  let balance = 0;
  queue.forEach(({ item, at }, place) => {
    balance += item.amount;
    // Items that become available together are paid together.
    if (balance <= most || queue[place + 1]?.at === at) return;
    cuts.push({ to: place + 1, cutAt: at });
    balance = 0;
  });
  return cuts;
}

function observationsOf(all: readonly Available[], paidAt: ReadonlyMap<string, number>): Observation[] {
  return all.flatMap(({ item: { itemId, channel, succeededAt }, at }, place) => {
    if (channel !== 'card') return [];
    const paid = paidAt.get(itemId) ?? Infinity;
    const until = Math.min(paid + POLLED_AFTER_MS, succeededAt + 2 * POLLED_AFTER_MS);
    const seen: Observation[] = [];
    const first = succeededAt + HOUR_MS + (place % 37) * 360_000;
    for (let observedAt = first; observedAt < until; observedAt += POLL_MS) {
      const settlementStatus = observedAt > paid ? 'IN_PAYOUT' : observedAt >= at ? 'AVAILABLE' : 'PROCESSING';
      seen.push({ itemId, observedAt, status: 'SUCCESS', settlementStatus });
    }
    return seen;
  });
}

export interface Answered {
  readonly model: string | undefined;
  readonly streams: readonly string[];
  readonly payouts: number;
  readonly exact: number;
  /** Lines that are resolved with other items than they paid. */
  readonly wrong: readonly string[];
  readonly cutShort: number;
}

/** Infers the payouts of a file, and compares them with the truth. */
export function answerTo({ request, truth }: PaidFile): Answered {
  const { model, credits, streams } = inferPayouts(request);
  const resolved = credits.filter(({ outcome }) => outcome === 'resolved');
  const isRight = ({ lineId, itemIds }: (typeof resolved)[number]): boolean =>
    [...itemIds].sort().join() === [...(truth.get(lineId) ?? [])].sort().join();
  return {
    model,
    streams: streams.map(({ stream }) => stream),
    payouts: truth.size,
    exact: resolved.filter(isRight).length,
    wrong: resolved.filter((credit) => !isRight(credit)).map(({ lineId }) => lineId),
    cutShort: credits.filter(({ outcome }) => outcome === 'search_cut_short').length,
  };
}
