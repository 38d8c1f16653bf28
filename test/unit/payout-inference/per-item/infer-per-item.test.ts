// Goal: if each item has a separate credit, each credit is resolved, or ambiguous where the file does not decide.
// Method: a generated file of forty days with one cut each working day at 14:00 and the booking on the next one.
import { describe, expect, test } from '@jest/globals';
import {
  addDays,
  businessCalendar,
  type BusinessDate,
  businessDate,
  millimes,
  WorkingDays,
} from '../../../../src/kernel';
import { type BankLine, type Inference, inferPayouts, type Item } from '../../../../src/payout-inference';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const FIRST_DAY = businessDate('2026-03-02');
const DAYS = 40;
const MS_PER_MINUTE = 60_000;
const CUT_MINUTE = 14 * 60;
/** Four payments a day, two before the cut and two after. */
const MINUTES = [9 * 60 + 5, 11 * 60 + 20, 16 * 60 + 40, 20 * 60 + 15] as const;

interface Made {
  readonly items: Item[];
  lines: BankLine[];
}

/** `kept` is what the gateway keeps of an amount. */
function madeFile(kept: (amount: number) => number = () => 0): Made {
  const items: Item[] = [];
  const lines: BankLine[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    MINUTES.forEach((minute, place) => {
      const date = addDays(FIRST_DAY, day);
      const amount = 20_000 + (((day * MINUTES.length + place) * 7_919) % 180_000);
      const { item, line } = paidItem(`${day}-${place}`, date, minute, amount, kept(amount));
      items.push(item);
      lines.push(line);
    });
  }
  return { items, lines };
}

function paidItem(
  name: string,
  date: BusinessDate,
  minute: number,
  amount: number,
  kept = 0,
): { readonly item: Item; readonly line: BankLine } {
  const cutDay = WORKING_DAYS.onOrAfter(minute < CUT_MINUTE ? date : addDays(date, 1));
  const bookingDate = WORKING_DAYS.add(cutDay, 1);
  return {
    item: {
      itemId: `item-${name}`,
      channel: 'wallet',
      amount: millimes(amount),
      succeededAt: CALENDAR.startOf(date) + minute * MS_PER_MINUTE,
    },
    line: {
      lineId: `line-${name}`,
      bookingDate,
      valueDate: bookingDate,
      amount: millimes(amount - kept),
      counterparty: 'GATEWAY',
      remittance: 'PAYOUT',
    },
  };
}

function infer({ items, lines }: Made, fees: 'none' | 'to_learn' = 'none'): Inference {
  return inferPayouts({
    items,
    observations: [],
    lines,
    fees: fees === 'none' ? [] : undefined,
    calendar: CALENDAR,
    workingDays: WORKING_DAYS,
    maxError: 0.001,
  });
}

function creditOf(inference: Inference, name: string): Inference['credits'][number] | undefined {
  return inference.credits.find(({ lineId }) => lineId === `line-${name}`);
}

const pairOf = ({ lineId, itemIds }: Inference['credits'][number]): string => `${lineId} ${itemIds.join()}`;
const allPairs = ({ items }: Made): string[] =>
  items.map(({ itemId }) => `${itemId.replace('item', 'line')} ${itemId}`).sort();

describe('payouts of one item each', () => {
  test('resolves each credit by the one item that is worth as much', () => {
    const made = madeFile();
    const inference = infer(made);
    expect(inference.model).toBe('per-item');
    expect(inference.credits.map(pairOf).sort()).toEqual(allPairs(made));
  });

  test('gives the same answer for any order of the request', () => {
    const made = madeFile();
    const inOrder = infer(made);
    const reversed = infer({ items: [...made.items].reverse(), lines: [...made.lines].reverse() });
    expect(reversed.credits).toEqual(inOrder.credits);
  });

  test('leaves two equal items of one cut open between their two credits', () => {
    const made = madeFile();
    for (const name of ['twin-a', 'twin-b']) {
      const { item, line } = paidItem(name, addDays(FIRST_DAY, 9), 10 * 60, 555_123);
      made.items.push(item);
      made.lines.push(line);
    }
    const twin = creditOf(infer(made), 'twin-a');
    expect(twin).toMatchObject({ outcome: 'ambiguous', itemIds: [], commonCore: [], proposal: [] });
    expect(twin?.claimedError).toBeGreaterThan(0.49);
  });

  test('tells equal items of different cuts apart by the days of their bookings', () => {
    const made = madeFile();
    for (const [name, day] of [
      ['early', 7],
      ['late', 9],
    ] as const) {
      const { item, line } = paidItem(name, addDays(FIRST_DAY, day), 10 * 60, 555_123);
      made.items.push(item);
      made.lines.push(line);
    }
    const inference = infer(made);
    expect(creditOf(inference, 'early')?.itemIds).toEqual(['item-early']);
    expect(creditOf(inference, 'late')?.itemIds).toEqual(['item-late']);
  });

  test('does not resolve the credit of another payer', () => {
    const made = madeFile();
    const { line } = paidItem('stranger', addDays(FIRST_DAY, 9), 10 * 60, 555_123);
    made.lines.push(line);
    expect(creditOf(infer(made), 'stranger')).toMatchObject({ outcome: 'unexplained', itemIds: [] });
  });

  test('learns a fee on each item from the differences', () => {
    const made = madeFile((amount) => {
      const fee = Math.round((amount * 15) / 1_000);
      return fee + Math.round((fee * 19) / 100);
    });
    const inference = infer(made, 'to_learn');
    expect(inference).toMatchObject({ model: 'per-item', feesLearned: true });
    expect(inference.fees).toMatchObject([{ channel: 'wallet', ratePpm: 15_000, fixedMillimes: 0, tvaPpm: 190_000 }]);
    expect(inference.credits.map(pairOf).sort()).toEqual(allPairs(made));
  });

  test('finds the payment that paid a clawback back', () => {
    const made = madeFile();
    const cut = addDays(FIRST_DAY, 10);
    const first = made.lines.find(({ lineId }) => lineId === 'line-9-2');
    const payment = made.items.find(({ itemId }) => itemId === 'item-2-0');
    made.items.push({
      itemId: 'refund',
      channel: 'wallet',
      amount: millimes(-(payment?.amount ?? 0)),
      succeededAt: CALENDAR.startOf(cut) + 10 * 60 * MS_PER_MINUTE,
      refundOf: 'item-2-0',
    });
    const covered = (first?.amount ?? 0) - (payment?.amount ?? 0);
    expect(covered).toBeGreaterThan(0);
    made.lines = made.lines.map((line) => (line === first ? { ...line, amount: millimes(covered) } : line));
    expect(creditOf(infer(made), '9-2')?.itemIds).toEqual(['item-9-2', 'refund']);
  });
});
