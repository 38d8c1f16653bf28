import { expect, test } from '@jest/globals';
import { memoryBudgetStore } from '../../../../src/gateway/budget/memory-budget-store';
import { fixedClock } from '../../../support/fakes';

const START = '2026-03-02T09:00:00+01:00';
const ENTRIES_MAX = 10_000;

test('the memory store accepts exactly one of twenty writers with one expected version', async () => {
  const clock = fixedClock(START);
  const store = memoryBudgetStore(clock);
  const keepUntil = clock.now() + 1_000;
  const write = (version: number | undefined): Promise<boolean[]> =>
    Promise.all(Array.from({ length: 20 }, (_, n) => store.replace('k', { value: String(n), keepUntil }, version)));
  expect((await write(undefined)).filter(Boolean)).toHaveLength(1);
  const entry = await store.read('k');
  expect((await write(entry?.version)).filter(Boolean)).toHaveLength(1);
  expect(await store.replace('k', { value: 'late', keepUntil }, entry?.version)).toBe(false);
});

test('the memory store drops an expired entry and never reuses its version', async () => {
  const clock = fixedClock(START);
  const store = memoryBudgetStore(clock);
  await store.replace('k', { value: 'old', keepUntil: clock.now() + 1_000 }, undefined);
  const old = await store.read('k');
  clock.advance(1_001);
  expect(await store.read('k')).toBeUndefined();
  expect(await store.replace('k', { value: 'new', keepUntil: clock.now() + 1_000 }, undefined)).toBe(true);
  expect(await store.replace('k', { value: 'late', keepUntil: clock.now() }, old?.version)).toBe(false);
  expect((await store.read('k'))?.value).toBe('new');
});

test('the full memory store drops the entry that expires first', async () => {
  const clock = fixedClock(START);
  const store = memoryBudgetStore(clock);
  for (let n = 0; n < ENTRIES_MAX; n += 1) {
    await store.replace(`k${n}`, { value: '', keepUntil: clock.now() + 10_000 - n }, undefined);
  }
  await store.replace('one more', { value: '', keepUntil: clock.now() + 5_000 }, undefined);
  expect(await store.read(`k${ENTRIES_MAX - 1}`)).toBeUndefined();
  expect(await store.read('k0')).toBeDefined();
  expect(await store.read('one more')).toBeDefined();
});
