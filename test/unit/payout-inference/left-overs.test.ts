// Goal: what earlier runs left over is explained as it would be beside the payouts that they settled.
// Method: payouts of eight items each working day at six in the evening; two of them are open, the others are history.
import { expect, test } from '@jest/globals';
import { addDays, businessCalendar, businessDate, HOUR_MS, millimes, WorkingDays } from '../../../src/kernel';
import {
  type BankLine,
  inferPayouts,
  type InferredCredit,
  type Item,
  type PastPayout,
} from '../../../src/payout-inference';
import { randomFrom } from '../../support/random';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const DAYS = 20;
const ITEMS_PER_DAY = 8;
const TWIN = 20_000;

/** Asks about the payouts of some days, by how much their credits were changed. The first has two items of 20 DT. */
function askAbout(changes: ReadonlyMap<number, number>): readonly InferredCredit[] {
  const random = randomFrom(5);
  const open: Item[] = [];
  const lines: BankLine[] = [];
  const payouts: PastPayout[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const date = WORKING_DAYS.add(businessDate('2026-03-02'), day);
    const start = CALENDAR.startOf(date);
    const bookingDate = WORKING_DAYS.add(date, 1);
    const items = Array.from({ length: ITEMS_PER_DAY }, (_, place): Item => ({
      itemId: `${day}-${place}`,
      channel: 'agent',
      amount: millimes(day === 9 && (place === 2 || place === 5) ? TWIN : 5_000 + random.below(180_000)),
      succeededAt: start + (8 + place) * HOUR_MS,
    }));
    const total = items.reduce((sum, item) => sum + item.amount, 0);
    const until = CALENDAR.startOf(addDays(date, 1));
    const change = changes.get(day);
    if (change === undefined) payouts.push({ stream: 'all', cut: { after: start + 18 * HOUR_MS, until }, bookingDate });
    else {
      open.push(...items);
      const amount = millimes(total + change);
      lines.push({ lineId: `L${day}`, bookingDate, valueDate: bookingDate, amount, counterparty: 'G', remittance: '' });
    }
  }
  const { credits } = inferPayouts({
    items: open,
    observations: [],
    lines,
    fees: [],
    calendar: CALENDAR,
    workingDays: WORKING_DAYS,
    maxError: 0.001,
    history: { model: 'sweep-all', payouts },
  });
  return credits;
}

test('of two equal items, one of which was paid later, nobody knows which: both are candidates', () => {
  const credits = askAbout(
    new Map([
      [9, -TWIN],
      [10, TWIN],
    ]),
  );
  expect(credits.map(({ outcome }) => outcome)).toEqual(['ambiguous', 'ambiguous']);
  for (const { candidates = [] } of credits) {
    expect(candidates.map(({ probability = 0 }) => Math.round(100 * probability))).toEqual([50, 50]);
  }
});

test('a payout that lacks an amount has its run as the nearest candidate', () => {
  const [credit] = askAbout(new Map([[9, -5_000]]));
  expect(credit?.candidates?.map(({ kind, difference }) => [kind, difference])).toEqual([['nearest', -5_000]]);
});

test('nothing is resolved by amounts that no open items have', () => {
  const credits = askAbout(
    new Map([
      [9, 3_210_987],
      [10, 4_321_987],
    ]),
  );
  expect(credits.map(({ outcome }) => outcome)).not.toContain('resolved');
});
