// Goal: each habit of a gateway or of its payers is in the worlds that are named after it.
import { describe, expect, test } from '@jest/globals';
import { SCENARIOS } from '../../../scripts/evaluate/generate/scenarios';
import { makeWorld } from '../../../scripts/evaluate/score/make-world';
import type { World } from '../../../scripts/evaluate/world';
import { addDays, businessCalendar, dayOfWeek, HOUR_MS, type Instant, MINUTE_MS } from '../../../src/kernel';

const CALENDAR = businessCalendar('Africa/Tunis');

function worldOf(scenario: string, seed = 1, size = 0.3): World {
  return makeWorld({ scenario, seed, size });
}

function minuteOf(instant: Instant): number {
  return (instant - CALENDAR.startOf(CALENDAR.dateOf(instant))) / MINUTE_MS;
}

/** The channels that each stream of a world paid together, sorted. */
function paidTogether({ files, truth }: World): Map<string, Set<string>> {
  const channels = new Map(files.items.map(({ itemId, channel }) => [itemId, channel]));
  const together = new Map<string, Set<string>>();
  for (const { itemIds, cuts } of truth.lines) {
    const stream = cuts[0]?.stream ?? '';
    const known = together.get(stream) ?? new Set();
    for (const itemId of itemIds) known.add(channels.get(itemId) ?? '');
    together.set(stream, known);
  }
  return together;
}

function cutMinutesOf({ truth }: World, stream: string): number[] {
  return truth.cuts.filter((cut) => cut.stream === stream).map(({ cutAt }) => minuteOf(cutAt));
}

describe('groups of channels', () => {
  test('pay their channels together and the others apart', () => {
    const together = paidTogether(worldOf('wallet-with-mpayment'));
    expect(together.get('mpayment+wallet')).toEqual(new Set(['mpayment', 'wallet']));
    expect([...together].filter(([stream, channels]) => channels.size > 1 && stream !== 'mpayment+wallet')).toEqual([]);
  });

  test('pay at hours of their own', () => {
    const world = worldOf('channel-hours');
    const first = [...paidTogether(world).keys()].map((stream) => Math.min(...cutMinutesOf(world, stream)));
    expect(first.length).toBe(5);
    expect(new Set(first.map((minute) => Math.floor(minute / 15))).size).toBeGreaterThan(2);
  });

  test('never pay a channel that is in none', () => {
    const world = worldOf('card-and-agents');
    expect([...paidTogether(world).keys()].sort()).toEqual(['agent', 'card']);
    expect(Math.max(...cutMinutesOf(world, 'card'))).toBeLessThan(10 * 60);
    expect(Math.min(...cutMinutesOf(world, 'agent'))).toBeGreaterThan(15 * 60);
    const unpaid = world.files.items.filter(({ channel }) => channel === 'wallet').map(({ itemId }) => itemId);
    const paid = new Set(world.truth.lines.flatMap(({ itemIds }) => itemIds));
    expect(unpaid.length).toBeGreaterThan(0);
    expect(unpaid.filter((itemId) => paid.has(itemId))).toEqual([]);
  });
});

describe('cuts', () => {
  test('come as soon as the balance reaches a sum', () => {
    const { files, truth } = worldOf('threshold', 1, 1);
    const amounts = new Map(files.items.map(({ itemId, amount }) => [itemId, amount]));
    const available = new Map(truth.items.map(({ itemId, availableAt }) => [itemId, availableAt]));
    const least = Math.min(...files.lines.map(({ amount }) => amount));
    const early = truth.lines.filter(({ itemIds, cuts }) => {
      const cutAt = cuts[0]?.cutAt ?? 0;
      const hourBefore = itemIds.filter((itemId) => (available.get(itemId) ?? 0) < cutAt - 2 * HOUR_MS);
      const open = hourBefore.reduce((sum, itemId) => sum + (amounts.get(itemId) ?? 0), 0);
      return minuteOf(cutAt) > 11 * 60 && open >= least;
    });
    expect(files.lines.length).toBeGreaterThan(10);
    expect(early).toEqual([]);
  });

  test('come by hand on any day, one to six days apart', () => {
    const dates = [1, 2, 3].map((seed) =>
      worldOf('on-demand', seed).truth.cuts.map(({ cutAt }) => CALENDAR.dateOf(cutAt)),
    );
    for (const ofWorld of dates) {
      const isNear = ofWorld.slice(1).every((date, index) => date <= addDays(ofWorld[index] ?? date, 6));
      expect(isNear).toBe(true);
      expect(new Set(ofWorld).size).toBe(ofWorld.length);
    }
    expect(dates.flat().some((date) => dayOfWeek(date) % 6 === 0)).toBe(true);
  });

  test('drift by hours', () => {
    const minutes = cutMinutesOf(worldOf('drifting-cut'), 'all');
    expect(Math.abs((minutes.at(-1) ?? 0) - (minutes[0] ?? 0))).toBeGreaterThan(90);
  });
});

test('cards become available at an hour that drifts', () => {
  const { files, truth } = worldOf('drifting-cards', 1, 1);
  const cards = new Set(files.items.filter(({ channel }) => channel === 'card').map(({ itemId }) => itemId));
  const minutes = truth.items.filter(({ itemId }) => cards.has(itemId)).map(({ availableAt }) => minuteOf(availableAt));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(Math.abs(mean(minutes.slice(0, 50)) - mean(minutes.slice(-50)))).toBeGreaterThan(60);
});

test('no payment is checked where cards are unseen', () => {
  expect(worldOf('cards-unseen').files.observations).toEqual([]);
});

test('a statement begins in the middle, and all that was paid before is missing once', () => {
  const { files, truth } = worldOf('bank-from-middle');
  const [firstItem] = files.items;
  const firstDay = CALENDAR.dateOf(firstItem?.succeededAt ?? 0);
  expect((files.lines[0]?.bookingDate ?? '') > addDays(firstDay, 10)).toBe(true);
  const [missing, ...others] = truth.breaks;
  expect([missing?.breakClass, others]).toEqual(['missing_in_bank', []]);
  const ids = new Set(missing?.itemIds);
  expect(ids.size).toBeGreaterThan(0);
  const isPaid = new Map(truth.items.map(({ itemId, paidByLineIds }) => [itemId, paidByLineIds.length > 0]));
  expect([...ids].filter((itemId) => isPaid.get(itemId) !== false)).toEqual([]);
  const firstPaid = files.items.find(({ itemId }) => isPaid.get(itemId) === true);
  const before = files.items.filter(({ succeededAt }) => succeededAt < (firstPaid?.succeededAt ?? 0));
  expect(before.filter(({ itemId }) => !ids.has(itemId)).length).toBeLessThan(ids.size / 10);
});

test('a salary day has many times the payments of another day', () => {
  const byDay = new Map<string, number>();
  for (const { succeededAt } of worldOf('salary-day').files.items) {
    const day = CALENDAR.dateOf(succeededAt);
    byDay.set(day, (byDay.get(day) ?? 0) + 1);
  }
  const [most = 0, second = 0] = [...byDay.values()].sort((a, b) => b - a);
  expect(most).toBeGreaterThan(20 * second);
});

test('an item is stated after the cut that took it, and never observed before', () => {
  const { files, truth } = worldOf('late-often', 1, 1);
  const late = new Set(truth.items.filter(({ recordedLate }) => recordedLate).map(({ itemId }) => itemId));
  const items = new Map(files.items.map((item) => [item.itemId, item]));
  const lines = truth.lines.filter(({ itemIds }) => itemIds.some((itemId) => late.has(itemId)));
  expect(lines.length).toBeGreaterThan(0);
  for (const { itemIds, cuts } of lines) {
    const [itemId = ''] = itemIds.filter((each) => late.has(each));
    const recordedAt = items.get(itemId)?.succeededAt ?? 0;
    expect(recordedAt).toBeGreaterThan(cuts[0]?.cutAt ?? Infinity);
    expect(files.observations.filter((seen) => seen.itemId === itemId && seen.observedAt < recordedAt)).toEqual([]);
  }
});

test('a bank’s charge has one size', () => {
  const unknownOf = (scenario: string): number[] => [
    ...new Set(worldOf(scenario, 1, 1).truth.lines.map(({ unknownMillimes }) => unknownMillimes)),
  ];
  expect(unknownOf('bank-charge').sort()).toEqual([-5_000, 0]);
  expect(unknownOf('bank-charge-other')).toHaveLength(2);
  expect(unknownOf('bank-charge-any').length).toBeGreaterThan(3);
});

describe('payments that repeat', () => {
  test('have one price and one evening each', () => {
    const { files, isGuard } = worldOf('evening-price', 1);
    const days = files.items.map(({ succeededAt }) => CALENDAR.dateOf(succeededAt));
    expect(isGuard).toBe(true);
    expect(new Set(files.items.map(({ amount }) => amount)).size).toBe(1);
    expect(new Set(days).size).toBe(days.length);
    expect(Math.min(...files.items.map(({ succeededAt }) => minuteOf(succeededAt)))).toBeGreaterThanOrEqual(18 * 60);
  });

  test('may be paid for one of two equal channels', () => {
    const { files, truth } = worldOf('two-models');
    expect(new Set(files.items.map(({ channel }) => channel)).size).toBe(2);
    expect(new Set(files.items.map(({ amount }) => amount)).size).toBe(1);
    expect(truth.streams.size).toBe(1);
  });

  test('come with other habits, which the seed draws', () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const kinds = seeds.map((seed) => {
      const { files, truth } = worldOf('habits', seed);
      return [truth.model, truth.streams.size, truth.fees.length > 0, files.observations.length > 0].join();
    });
    expect(new Set(kinds).size).toBeGreaterThan(3);
    expect(SCENARIOS.find(({ name }) => name === 'habits')?.isGuard).toBe(true);
  });
});
