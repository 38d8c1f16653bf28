// Goal: the benchmark's file is a statement that its balances prove, and is identical for one seed.
// Method: Millime's reader reads a small file back, and the test adds up its lines.
import { describe, expect, test } from '@jest/globals';
import { camt053Facts, type Camt053Plan, camt053Text } from '../../../../scripts/bench/make-camt053';
import { decimalText } from '../../../../src/statements';
import { addDecimals, createCamtReader, ZERO_DECIMAL } from '../../../../src/statements/testing';

const plan = (more: Partial<Camt053Plan>): Camt053Plan => ({ bytes: 60_000, currency: 'EUR', seed: 1, ...more });
const textOf = (of: Camt053Plan): string => [...camt053Text(of, camt053Facts(of))].join('');

describe('the file of the benchmark', () => {
  test.each([
    ['EUR', 2],
    ['TND', 3],
  ] as const)('in %s proves itself, with references that are there once', (currency, scale) => {
    const of = plan({ currency });
    const reader = createCamtReader();
    const events = [...reader.push(Buffer.from(textOf(of))), ...reader.end()];
    const lines = events.flatMap((event) => (event.kind === 'line' ? [event.line] : []));
    const [statement] = events.flatMap((event) => (event.kind === 'statement' ? [event.statement] : []));
    expect(lines).toHaveLength(camt053Facts(of).entries);
    const closing = lines.reduce(
      (sum, { amount }) => addDecimals(sum, amount),
      statement?.opening?.amount ?? ZERO_DECIMAL,
    );
    expect(decimalText(closing)).toBe(decimalText(statement?.closing?.amount ?? ZERO_DECIMAL));
    expect(statement).toMatchObject({ currency, opening: { amount: { units: 1_000_000n, scale } } });
    expect(new Set(lines.map(({ bankReference }) => bankReference)).size).toBe(lines.length);
    const days = lines.map(({ bookingDate }) => bookingDate);
    expect(days).toEqual([...days].sort());
  });

  test('is as large as was asked, with entries as large as those of banks', () => {
    const of = plan({ bytes: 200_000 });
    const { length } = textOf(of);
    expect(length).toBeGreaterThanOrEqual(200_000);
    expect(length).toBeLessThan(205_000);
    expect(length / camt053Facts(of).entries).toBeGreaterThan(1_000);
  });

  test('is the same for the same seed, and of another account for another', () => {
    expect(textOf(plan({}))).toBe(textOf(plan({})));
    const account = /<Othr><Id>(99\d+)</;
    expect(account.exec(textOf(plan({ seed: 2 })))?.[1]).not.toBe(account.exec(textOf(plan({})))?.[1]);
  });
});
