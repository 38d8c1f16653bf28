// Goal: the inference claims no more doubt than the file has: deviations elsewhere do not spoil clean payouts.
// Method: files with a known rule and one kind of deviation; nearly all clean credits resolve, and none resolves wrongly.
import { describe, expect, test } from '@jest/globals';
import { businessCalendar, businessDate, HOUR_MS, millimes, WorkingDays } from '../../../src/kernel';
import { type BankLine, type Channel, inferPayouts, type Item } from '../../../src/payout-inference';
import { type Random, randomFrom } from '../../support/random';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const FIRST_DAY = businessDate('2026-03-02');
const DAYS = 40;
const OPENS_AT = 8;
const OPEN_HOURS = 13;

interface Habit {
  readonly channels?: readonly Channel[];
  /** By channel, the hour of its cut. */
  readonly cutHour: (channel: Channel) => number;
  readonly itemsPerDay: number;
  /** The amount of the next item, in millimes. */
  readonly amount: (random: Random) => number;
  /** Returns the items that the cut of a day passes over, which the next cut takes. */
  readonly heldBack?: (day: number, items: readonly Item[]) => readonly Item[];
  readonly isMissing?: (day: number) => boolean;
  readonly takenOff?: (day: number) => number;
}

const ODD_MILLIMES = ({ below }: Random): number => 5_000 + below(250_000);
const TENTHS = ({ below }: Random): number => 5_000 + below(1_000) * 100;
const WHOLE_DINARS = ({ below }: Random): number => 5_000 + below(120) * 1_000;
const THREE_IN_TEN = (day: number): boolean => day % 10 >= 4 && day % 10 < 7;
const ONE_IN_FIVE = (day: number): boolean => day % 5 === 3;

interface Judged {
  /** The share of the clean credits that are resolved. */
  readonly share: number;
  /** The credits that are resolved wrongly. */
  readonly wrong: readonly string[];
  /** The causes and remainders of the credits from which something was taken off. */
  readonly lacking: readonly unknown[];
}

function judge(seed: number, habit: Habit): Judged {
  const random = randomFrom(seed);
  const items: Item[] = [];
  const lines: BankLine[] = [];
  const paidBy = new Map<string, string>();
  const unclean = new Set<string>();
  for (const channel of habit.channels ?? (['wallet'] as const)) {
    let waiting: Item[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      const date = WORKING_DAYS.add(FIRST_DAY, day);
      const start = CALENDAR.startOf(date);
      const times = Array.from(
        { length: habit.itemsPerDay },
        () => OPENS_AT * HOUR_MS + random.below(OPEN_HOURS * HOUR_MS),
      );
      const ofDay = times
        .sort((a, b) => a - b)
        .map((time, index): Item => ({
          itemId: `${channel}-${day}-${index}`,
          channel,
          amount: millimes(habit.amount(random)),
          succeededAt: start + time,
        }));
      items.push(...ofDay);
      const cut = start + habit.cutHour(channel) * HOUR_MS;
      const known = [...waiting, ...ofDay];
      const held = new Set(
        habit.heldBack?.(
          day,
          known.filter(({ succeededAt }) => succeededAt <= cut),
        ),
      );
      const paid = known.filter((item) => item.succeededAt <= cut && !held.has(item));
      waiting = known.filter((item) => !paid.includes(item));
      const lineId = `${channel}-${String(day).padStart(2, '0')}`;
      const takenOff = habit.takenOff?.(day) ?? 0;
      if (habit.isMissing?.(day) === true) continue;
      if (takenOff > 0) unclean.add(lineId);
      const booked = WORKING_DAYS.add(FIRST_DAY, day + 1);
      const amount = millimes(paid.reduce((sum, item) => sum + item.amount, -takenOff));
      lines.push({ lineId, bookingDate: booked, valueDate: booked, amount, counterparty: 'GATEWAY', remittance: 'P' });
      paidBy.set(
        lineId,
        paid
          .map(({ itemId }) => itemId)
          .sort()
          .join(),
      );
    }
  }
  const { credits } = inferPayouts({
    items,
    observations: [],
    lines,
    fees: undefined,
    calendar: CALENDAR,
    workingDays: WORKING_DAYS,
    maxError: 0.001,
  });
  const resolved = credits.filter(({ outcome }) => outcome === 'resolved');
  const isRight = (lineId: string, itemIds: readonly string[]): boolean =>
    !unclean.has(lineId) && itemIds.join() === paidBy.get(lineId);
  return {
    share: resolved.length / (lines.length - unclean.size),
    lacking: credits.filter(({ lineId }) => unclean.has(lineId)).map(({ cause, remainder }) => [cause, remainder]),
    wrong: resolved.filter(({ lineId, itemIds }) => !isRight(lineId, itemIds)).map(({ lineId }) => lineId),
  };
}

const EVENING = (): number => 17;

describe.each([11, 12, 13])('files of seed %i', (seed) => {
  test('resolves payouts although one in five passes over an item', () => {
    const { share, wrong } = judge(seed, {
      cutHour: EVENING,
      itemsPerDay: 30,
      amount: ODD_MILLIMES,
      heldBack: (day, items) => (ONE_IN_FIVE(day) ? items.slice(-9, -8) : []),
    });
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.9);
  });

  test('resolves payouts although three in a row of ten pass over an item', () => {
    const { share, wrong } = judge(seed, {
      cutHour: EVENING,
      itemsPerDay: 30,
      amount: ODD_MILLIMES,
      heldBack: (day, items) => (THREE_IN_TEN(day) ? items.slice(-9, -8) : []),
    });
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.9);
  });

  test('resolves two channels that are cut at different hours', () => {
    const { share, wrong } = judge(seed, {
      channels: ['agent', 'wallet'],
      cutHour: (channel) => (channel === 'agent' ? 18 : 10),
      itemsPerDay: 10,
      amount: ODD_MILLIMES,
    });
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.95);
  });

  test('resolves the thin payouts of six channels that share the same gateway and bank', () => {
    const { share, wrong } = judge(seed, {
      channels: ['agent', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'],
      cutHour: EVENING,
      itemsPerDay: 3,
      amount: TENTHS,
    });
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.95);
  });

  test('resolves the payouts beside those that never reached the statement', () => {
    const { share, wrong } = judge(seed, {
      cutHour: EVENING,
      itemsPerDay: 40,
      amount: ODD_MILLIMES,
      isMissing: ONE_IN_FIVE,
    });
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.95);
  });

  test('resolves the payouts beside those from which the bank took a charge', () => {
    const { share, wrong, lacking } = judge(seed, {
      cutHour: EVENING,
      itemsPerDay: 12,
      amount: WHOLE_DINARS,
      takenOff: (day) => (day % 4 === 3 ? 5_000 : 0),
    });
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.85);
    expect(lacking).toEqual(Array(DAYS / 4).fill(['unknown_amount', -5_000]));
  });
});
