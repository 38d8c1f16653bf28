// Goal: exactly one of several writers with one expected version writes, on any connection, and the table stays small.
// Method: two connections to one database; twenty concurrent writers; time is a fixed clock.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Database, openDatabase, rowsOf } from '../../../src/db';
import type { BudgetStore } from '../../../src/gateway';
import { createSharedBudgetStore } from '../../../src/gateway-budget';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { fixedClock } from '../../support/fakes';

const START = '2026-03-02T09:00:00+01:00';
const RACERS = 20;

describeOnEachDatabase('the shared store of the budget', (harness) => {
  const clock = fixedClock(START);
  let second: Database;
  let stores: readonly BudgetStore[] = [];

  beforeAll(() => {
    second = openDatabase(parsedUrl(harness.url), silentLogger);
    stores = [harness.database, second].map((database) => createSharedBudgetStore(database, clock));
  });
  afterAll(() => second.close());
  beforeEach(() => clock.set(START));

  const storeAt = (n: number): BudgetStore => {
    const store = stores[n % stores.length];
    if (store === undefined) throw new Error('the stores are open from beforeAll on');
    return store;
  };
  const write = (n: number, key: string, expectedVersion: number | undefined, keepMs = 60_000): Promise<boolean> =>
    storeAt(n).replace(key, { value: `of ${n}`, keepUntil: clock.now() + keepMs }, expectedVersion);
  const race = async (key: string, expectedVersion: number | undefined): Promise<number[]> => {
    const wrote = await Promise.all(Array.from({ length: RACERS }, (_, n) => write(n, key, expectedVersion)));
    return [...wrote.entries()].filter(([, won]) => won).map(([n]) => n);
  };
  const countRows = async (): Promise<number> =>
    (await harness.database.read((session) => rowsOf(session('gateway_budget').select('budget_key')))).length;

  test('lets exactly one of twenty callers create a key, and exactly one replace a version', async () => {
    expect(await storeAt(0).read('k')).toBeUndefined();
    let version: number | undefined;
    for (let round = 0; round < 4; round += 1) {
      const winners = await race('k', version);
      expect(winners).toHaveLength(1);
      const entry = await storeAt(1).read('k');
      expect(entry?.value).toBe(`of ${winners[0]}`);
      expect(entry?.version).not.toBe(version);
      version = entry?.version;
    }
    expect(await countRows()).toBe(1);
  });

  test('lets exactly one of twenty callers create a key in place of expired rows', async () => {
    await write(0, 'old 1', undefined);
    await write(0, 'old 2', undefined);
    clock.advance(60_001);
    expect(await race('k', undefined)).toHaveLength(1);
    expect(await countRows()).toBe(2);
  });

  test('refuses an outdated version, and the creation of an existing key even if it expired', async () => {
    await write(0, 'k', undefined);
    const first = await storeAt(1).read('k');
    expect(await write(1, 'k', first?.version)).toBe(true);
    expect(await write(0, 'k', first?.version)).toBe(false);
    expect(await write(0, 'other', first?.version)).toBe(false);
    clock.advance(60_001);
    expect(await write(0, 'k', undefined)).toBe(false);
    expect(await storeAt(0).read('k')).toMatchObject({ value: 'of 1' });
  });

  test('replaces expired keys by new ones, so that the table does not grow', async () => {
    for (let minute = 0; minute < 5; minute += 1) {
      for (let n = 0; n < 3; n += 1) expect(await write(n, `${minute}-${n}`, undefined)).toBe(true);
      clock.advance(60_001);
    }
    expect(await countRows()).toBe(3);
    expect(await storeAt(0).read('3-0')).toBeUndefined();
    expect(await storeAt(0).read('4-0')).toMatchObject({ value: 'of 0' });
  });

  test('never reuses a version for a key that expired and was created again', async () => {
    await write(0, 'k', undefined);
    const old = await storeAt(0).read('k');
    clock.advance(60_001);
    await write(0, 'other', undefined);
    expect(await storeAt(0).read('k')).toBeUndefined();
    await write(0, 'k', undefined);
    expect(await write(1, 'k', old?.version)).toBe(false);
  });

  test('keeps a long value of any characters unchanged', async () => {
    const value = JSON.stringify({ body: 'é € 😀 \\ \' " \u0000 '.repeat(5_000) });
    expect(await storeAt(0).replace('k', { value, keepUntil: clock.now() }, undefined)).toBe(true);
    expect((await storeAt(1).read('k'))?.value).toBe(value);
  });
});
