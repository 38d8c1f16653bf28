// Goal: credits of one item each stay so, even if other credits equal the sum of several items.
// Method: 90 payments of whole dinars, each paid alone, and 15 invented credits with the amount of a daily sweep. Sums
// of six items agree by chance so rarely that the invented credits have more evidence than all others; only their
// number is smaller.
import { expect, test } from '@jest/globals';
import { businessCalendar, businessDate, millimes, MINUTE_MS, WorkingDays } from '../../../../src/kernel';
import { type BankLine, inferPayouts, type Item } from '../../../../src/payout-inference';
import { randomFrom } from '../../../support/random';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const FIRST_DAY = businessDate('2026-03-02');
const DAYS = 15;
const ITEMS_PER_DAY = 6;
const SEED = 1;

test('takes nothing from payouts of one item each for a sweep that fits every day', () => {
  const { items, lines } = fileWithDecoys();
  const { model, credits } = inferPayouts({
    items,
    observations: [],
    lines,
    fees: [],
    calendar: CALENDAR,
    workingDays: WORKING_DAYS,
    maxError: 0.001,
  });
  expect(model).toBe('per-item');
  const resolved = credits.filter(({ outcome }) => outcome === 'resolved');
  expect(resolved).toHaveLength(DAYS * ITEMS_PER_DAY);
  for (const { lineId, itemIds } of resolved) expect(itemIds).toEqual([lineId.replace('line', 'item')]);
});

function fileWithDecoys(): { readonly items: readonly Item[]; readonly lines: readonly BankLine[] } {
  const random = randomFrom(SEED);
  const items: Item[] = [];
  const lines: BankLine[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const date = WORKING_DAYS.add(FIRST_DAY, day);
    const bookingDate = WORKING_DAYS.add(date, 1);
    const booked = (lineId: string, amount: number): void => {
      lines.push({
        lineId,
        bookingDate,
        valueDate: bookingDate,
        amount: millimes(amount),
        counterparty: 'GATEWAY',
        remittance: 'PAYOUT',
      });
    };
    let sum = 0;
    for (let place = 0; place < ITEMS_PER_DAY; place += 1) {
      const amount = 5_000 + random.below(200) * 1_000;
      const minute = 8 * 60 + 10 + place * 50 + random.below(40);
      sum += amount;
      items.push({
        itemId: `item-${day}-${place}`,
        channel: 'wallet',
        amount: millimes(amount),
        succeededAt: CALENDAR.startOf(date) + minute * MINUTE_MS,
      });
      booked(`line-${day}-${place}`, amount);
    }
    booked(`decoy-${day}`, sum);
  }
  return { items, lines };
}
