// Goal: a list without pages is read whole, whatever the number of its rows.
// Method: a list in memory that returns the newest rows up to a size, like the gateway's list.
import { describe, expect, test } from '@jest/globals';
import { splitFullWindows, type TimeWindow } from '../../../src/payment-channels/qr/split-full-windows';

const ROWS_MAX = 3;

/** Reads a list of instants, and notes what was asked for and what was told to be full. */
async function readAll(instants: readonly number[], window: TimeWindow) {
  const full: TimeWindow[] = [];
  let requests = 0;
  const read = async ({ from, until }: TimeWindow) => {
    requests += 1;
    return instants
      .filter((at) => at >= from && at < until)
      .toReversed()
      .slice(0, ROWS_MAX);
  };
  const rows = await splitFullWindows(read, window, { rowsMax: ROWS_MAX, onFull: (each) => full.push(each) });
  return { rows: rows.toSorted((a, b) => a - b), full, requests };
}

describe('a whole window', () => {
  test('takes one request if it returns fewer rows than requested', async () => {
    expect(await readAll([5, 2_000], { from: 0, until: 10_000 })).toEqual({ rows: [5, 2_000], full: [], requests: 1 });
  });

  test('is split until every part returns fewer rows than requested', async () => {
    const instants = [1, 1_500, 2_500, 4_000, 5_500, 7_000, 9_999];
    const { rows, full } = await readAll(instants, { from: 0, until: 10_000 });
    expect(rows).toEqual(instants);
    expect(full).toEqual([]);
  });

  test('returns a full second unsplit and reports it', async () => {
    const { rows, full } = await readAll([10, 20, 30, 40, 900_000], { from: 0, until: 1_000_000 });
    expect(rows).toEqual([20, 30, 40, 900_000]);
    expect(full).toHaveLength(1);
    expect(full[0]).toMatchObject({ from: 0 });
  });
});
