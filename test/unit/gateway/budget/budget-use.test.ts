import { expect, test } from '@jest/globals';
import { type BudgetStore, readCallBudgetUse } from '../../../../src/gateway';
import { scopedBudgetStore } from '../../../../src/gateway/budget/scoped-budget-store';
import { createCallBudget, memoryBudgetStore } from '../../../../src/gateway/testing';
import { silentLogger } from '../../../../src/logging';
import { fixedClock } from '../../../support/fakes';

const APPLICATION = { baseUrl: 'https://gateway.example', publicKey: 'pk' };

test('readCallBudgetUse counts the calls of the last minute of one application', async () => {
  const clock = fixedClock(1_000_000);
  const store = memoryBudgetStore(clock);
  const scoped = scopedBudgetStore(store, APPLICATION.baseUrl, APPLICATION.publicKey);
  const budget = createCallBudget({ store: scoped, clock, logger: silentLogger });
  await budget.takeCreation('subscriptions.create');
  clock.advance(30_000);
  await budget.takeCreation('subscriptions.create');
  await budget.verify('P1', () => Promise.resolve({}), { timeoutMs: 1_000 });
  expect(await readCallBudgetUse({ store, clock, ...APPLICATION })).toEqual({
    verifies: { used: 1, limit: 30, freesAt: 1_090_000 },
    creations: { used: 2, limit: 60, freesAt: 1_060_000 },
    circuit: { isOpen: false, cause: undefined, refusedForMs: 0 },
  });
  clock.advance(30_000);
  expect(await readCallBudgetUse({ store, clock, ...APPLICATION })).toMatchObject({
    creations: { used: 1, freesAt: 1_090_000 },
  });
  expect(await readCallBudgetUse({ store, clock, ...APPLICATION, publicKey: 'other' })).toMatchObject({
    verifies: { used: 0, freesAt: undefined },
  });
});

test('readCallBudgetUse counts an unreadable entry as spent', async () => {
  const store: Pick<BudgetStore, 'read'> = { read: () => Promise.resolve({ value: '{', version: 1 }) };
  const use = await readCallBudgetUse({ store, clock: fixedClock(1_000_000), ...APPLICATION });
  expect([use.verifies.used, use.creations.used]).toEqual([30, 60]);
});
