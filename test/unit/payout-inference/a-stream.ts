import {
  addDays,
  businessCalendar,
  type BusinessDate,
  businessDate,
  HOUR_MS,
  millimes,
  WorkingDays,
} from '../../../src/kernel';
import type { FeeRule, Item } from '../../../src/payout-inference';
import { type DayGrid, dayGrid } from '../../../src/payout-inference/day-grid';
import type { Availability } from '../../../src/payout-inference/item-availability';
import { type Credit, orderStream, type StreamItems } from '../../../src/payout-inference/testing';

const CALENDAR = businessCalendar('Africa/Tunis');

/** A Monday. */
export const FIRST_DATE = businessDate('2026-03-02');
export const FIRST_AT = CALENDAR.startOf(FIRST_DATE);

interface GridPlan {
  readonly days?: number;
  readonly holidays?: readonly BusinessDate[];
}

/** Days from the first Monday on; the grid itself reaches forty days further to both sides. */
export function aGrid({ days = 60, holidays = [] }: GridPlan = {}): DayGrid {
  return dayGrid({
    from: FIRST_DATE,
    to: addDays(FIRST_DATE, days - 1),
    calendar: CALENDAR,
    workingDays: new WorkingDays(holidays),
  });
}

/** An item of so many millimes, so many hours after the first Monday began. */
export function anItem(itemId: string, hours: number, amount: number, more: Partial<Item> = {}): Item {
  return {
    itemId,
    channel: 'wallet',
    amount: millimes(amount),
    succeededAt: FIRST_AT + Math.round(hours * HOUR_MS),
    ...more,
  };
}

/** All items as one stream, each available at its own instant. */
export function aStream(items: readonly Item[]): StreamItems {
  const key = Float64Array.from(items, ({ succeededAt }) => succeededAt);
  const availability: Availability = { after: key.map((at) => at - 1), until: key, key };
  const indexOf = new Map(items.map(({ itemId }, index) => [itemId, index]));
  const members = Int32Array.from(items.keys());
  return orderStream({ stream: 'all', items, availability, members, indexOf }).sequence;
}

/** A credit of any cut before its booking day ends and up to a week before. */
export function aCredit(grid: DayGrid, index: number, amount: number, day: number): Credit {
  const bookingDay = grid.dayOfDate(FIRST_DATE) + day;
  return {
    index,
    amount,
    bookingDay,
    earliest: grid.startAt[bookingDay - 7] ?? 0,
    latest: grid.startAt[bookingDay + 1] ?? Infinity,
  };
}

/** 1.5 % and 40 millimes of each wallet item, TVA of 19 % on it, unless told otherwise. */
export function aRule(more: Partial<FeeRule> = {}): FeeRule {
  return {
    channel: 'wallet',
    ratePpm: 15_000,
    fixedMillimes: millimes(40),
    tvaPpm: 190_000,
    rounding: 'half_up',
    basis: 'item',
    ...more,
  };
}
