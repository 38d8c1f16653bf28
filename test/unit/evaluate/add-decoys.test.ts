import { expect, test } from '@jest/globals';
import { addDecoys } from '../../../scripts/evaluate/score/add-decoys';
import { shuffledFiles } from '../../../scripts/evaluate/score/shuffled-files';
import { aSmallWorld } from './a-small-world';

const DAYS = ['02', '03', '04', '05', '06', '09', '10', '11'].map((day) => `2026-03-${day}`);
const { files, truth } = aSmallWorld(
  DAYS.map((day, index) => ({ id: `item-${index}`, amount: 50_000 + 37 * index, when: `${day} 09:00` })),
  DAYS.map((day, index) => ({ id: `line-${index}`, day, cut: `${day} 17:00`, paid: [`item-${index}`] })),
);

test('adds credits that differ from a real one in their amount alone, by whole dinars', () => {
  const { files: after, decoyLineIds } = addDecoys(files, truth.lines, 1);
  expect(decoyLineIds.size).toBe(2);
  const decoys = after.lines.filter(({ lineId }) => decoyLineIds.has(lineId));
  for (const { bookingDate, valueDate, counterparty, remittance, amount } of decoys) {
    const real = files.lines.find((line) => line.bookingDate === bookingDate);
    expect({ valueDate, counterparty, remittance }).toEqual({
      valueDate: real?.valueDate,
      counterparty: real?.counterparty,
      remittance: real?.remittance,
    });
    expect(Math.abs(amount - (real?.amount ?? 0)) % 1_000).toBe(0);
    expect(files.lines.map((line) => line.amount)).not.toContain(amount);
  }
});

test('leaves the real lines as they are', () => {
  const { files: after, decoyLineIds } = addDecoys(files, truth.lines, 1);
  expect(after.lines.filter(({ lineId }) => !decoyLineIds.has(lineId))).toEqual(files.lines);
});

test('adds the same for the same seed, and others for another', () => {
  expect(addDecoys(files, truth.lines, 1)).toEqual(addDecoys(files, truth.lines, 1));
  expect(addDecoys(files, truth.lines, 1).decoyLineIds).not.toEqual(addDecoys(files, truth.lines, 2).decoyLineIds);
});

test('keeps every row in a shuffle and changes their order', () => {
  const shuffled = shuffledFiles(files, 1);
  expect(shuffled.items).not.toEqual(files.items);
  expect(new Set(shuffled.items)).toEqual(new Set(files.items));
  expect(shuffledFiles(files, 2).items).not.toEqual(shuffled.items);
});
