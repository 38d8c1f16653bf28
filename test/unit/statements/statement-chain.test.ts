// Goal: a missing statement is reported, and nothing else is reported as one, for any order of the files.
// Method: statements of a few days, each with its balances; every order of each list must give the same result.
import { describe, expect, test } from '@jest/globals';
import type { Statement } from '../../../src/statements';
import { findDiscontinuities } from '../../../src/statements/chain/statement-chain';
import { ACCOUNT, april } from './a-statement';

/** Its days of April, undefined when it has no lines, and its balances in millimes. */
function covering(
  days: readonly [number, number] | undefined,
  [openingMinor, closingMinor]: readonly [number, number],
  given: Partial<Statement> = {},
): Statement {
  const [firstDate, lastDate] = days?.map(april) ?? [];
  return {
    id: `S-${days?.join('-') ?? 'none'}-${openingMinor}-${closingMinor}`,
    fileId: 'F',
    position: 1,
    kind: 'statement',
    account: ACCOUNT,
    currency: 'TND',
    bankId: '',
    number: '',
    verdict: 'ok',
    hold: undefined,
    openingMinor,
    closingMinor,
    creditsMinor: Math.max(closingMinor - openingMinor, 0),
    debitsMinor: Math.max(openingMinor - closingMinor, 0),
    entries: days === undefined ? 0 : 1,
    pendingEntries: 0,
    from: undefined,
    through: undefined,
    firstDate,
    lastDate,
    fingerprint: '',
    notes: [],
    ...given,
  };
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    ordersOf(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** Each discontinuity as `kind: before > next`, for every order in which the statements may come. */
async function found(statements: readonly Statement[], shared: readonly string[] = []): Promise<string[]> {
  const shareLines = (a: Statement, b: Statement): Promise<boolean> =>
    Promise.resolve(shared.includes(a.id) && shared.includes(b.id));
  const results = new Set<string>();
  for (const order of ordersOf(statements)) {
    const discontinuities = await findDiscontinuities(order, shareLines);
    results.add(discontinuities.map(({ kind, before, next }) => `${kind}: ${before.id} > ${next.id}`).join('\n'));
  }
  expect(results.size).toBe(1);
  const [only = ''] = results;
  return only === '' ? [] : only.split('\n');
}

describe('the chain of the statements of an account', () => {
  test('finds nothing between statements whose balances follow, however many days lie between', async () => {
    expect(await found([covering([1, 3], [0, 10]), covering([4, 6], [10, 5]), covering([20, 22], [5, 30])])).toEqual(
      [],
    );
    expect(await found([covering([1, 1], [0, 10])])).toEqual([]);
    expect(await found([])).toEqual([]);
  });

  test('finds a gap where days are missing and the balance differs', async () => {
    const list = [covering([1, 3], [0, 10]), covering([6, 8], [12, 20]), covering([9, 9], [20, 21])];
    expect(await found(list)).toEqual(['gap: S-1-3-0-10 > S-6-8-12-20']);
    const [gap] = await findDiscontinuities(list, () => Promise.resolve(false));
    expect(gap).toMatchObject({ since: april(6), differenceMinor: 2 });
    // The missing statement closes it.
    expect(await found([...list, covering([4, 5], [10, 12])])).toEqual([]);
  });

  test('finds a balance jump where no day is missing and the balance differs', async () => {
    expect(await found([covering([1, 3], [0, 10]), covering([4, 5], [12, 20])])).toEqual([
      'break: S-1-3-0-10 > S-4-5-12-20',
    ]);
  });

  test('covers the days that the bank states, even without lines', async () => {
    const before = covering([1, 3], [0, 10], { through: april(5) });
    expect(await found([before, covering([6, 8], [12, 20])])).toEqual(['break: S-1-3-0-10 > S-6-8-12-20']);
    const next = covering([6, 8], [12, 20], { from: april(4) });
    expect(await found([covering([1, 3], [0, 10]), next])).toEqual(['break: S-1-3-0-10 > S-6-8-12-20']);
  });

  test('leaves out statements that overlap and share lines', async () => {
    const [a, b] = [covering([1, 5], [0, 10]), covering([3, 8], [4, 20])];
    expect(await found([a, b])).toEqual([]);
    const [c, d] = [covering([1, 5], [0, 10]), covering([5, 8], [7, 20])];
    expect(await found([c, d], [c.id, d.id])).toEqual([]);
    expect(await found([c, d, covering([9, 9], [20, 21])], [c.id, d.id])).toEqual([]);
  });

  test('finds a gap where statements meet on one day without a common line', async () => {
    expect(await found([covering([1, 5], [0, 10]), covering([5, 8], [12, 20])])).toEqual([
      'gap: S-1-5-0-10 > S-5-8-12-20',
    ]);
  });

  test('sorts the statements of one day by their balances, in any order of import', async () => {
    const day = [covering([2, 2], [10, 7]), covering([2, 2], [7, 30]), covering([2, 2], [30, 31])];
    expect(await found([covering([1, 1], [0, 10]), ...day, covering([3, 3], [31, 32])])).toEqual([]);
    expect(await found(day)).toEqual([]);
  });

  test('finds one gap while a statement of one day is missing, and none later', async () => {
    const list = [covering([2, 2], [10, 20]), covering([2, 2], [21, 30]), covering([2, 2], [30, 31])];
    const before = covering([1, 1], [0, 10]);
    expect(await found([before, ...list])).toEqual(['gap: S-2-2-10-20 > S-2-2-21-30']);
    expect(await found([before, ...list, covering([2, 2], [20, 21])])).toEqual([]);
  });

  test('accepts two statements of one day, in either order, if the second has more lines', async () => {
    const [morning, evening] = [covering([2, 2], [10, 20]), covering([2, 2], [10, 25])];
    const shared = [morning.id, evening.id];
    const before = covering([1, 1], [0, 10]);
    expect(await found([before, morning, evening, covering([3, 3], [25, 30])], shared)).toEqual([]);
    expect(await found([before, morning, evening, covering([3, 3], [26, 30])], shared)).toHaveLength(1);
  });

  test('uses a statement without lines only if the bank states its days', async () => {
    const empty = covering(undefined, [99, 99]);
    expect(await found([covering([1, 1], [0, 10]), empty, covering([2, 2], [10, 11])])).toEqual([]);
    const dated = covering(undefined, [12, 12], { from: april(2), through: april(2) });
    expect(await found([covering([1, 1], [0, 10]), dated, covering([3, 3], [12, 13])])).toEqual([
      'break: S-1-1-0-10 > S-none-12-12',
    ]);
  });
});
