import { expect, test } from '@jest/globals';
import { openDatabase, type Session } from '../../../src/db';
import { type AppError, AssertionError } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { aFault } from '../../support/a-fault';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { agentIds, agentRow } from './rows';

// Below the time for which a query would wait for the connection that its own transaction holds (1.5 s).
const AT_ONCE_MS = 1_200;

describeOnEachDatabase('transact', (harness) => {
  const stored = (): Promise<string[]> => harness.database.read(agentIds);
  const add = (session: Session, id: string) => session('agents').insert(agentRow(id));

  test('stores what the work wrote and returns its result', async () => {
    const answer = await harness.database.transact(async (session) => {
      await add(session, 'A1');
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await stored()).toEqual(['A1']);
  });

  test('stores nothing if the work throws, and throws the same error', async () => {
    const refusal = aFault('conflict', 'no');
    const attempt = harness.database.transact(async (session) => {
      await add(session, 'A1');
      throw refusal;
    });
    await expect(attempt).rejects.toBe(refusal);
    expect(await stored()).toEqual([]);
  });

  test('keeps later writes after many failed ones', async () => {
    for (let round = 0; round < 30; round += 1) {
      const attempt = harness.database.transact(async (session) => {
        await add(session, `lost-${round}`);
        throw new Error('stop');
      });
      await expect(attempt).rejects.toThrow('stop');
    }
    await harness.database.transact((session) => add(session, 'kept'));
    expect(await stored()).toEqual(['kept']);
  });

  test('runs everything and stores nothing in a dry run', async () => {
    const seen = await harness.database.transact(
      async (session) => {
        await add(session, 'A1');
        return agentIds(session);
      },
      { dryRun: true },
    );
    expect(seen).toEqual(['A1']);
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['a transaction', () => harness.database.transact(async () => undefined)],
    ['a read', () => harness.database.read(agentIds)],
  ])('refuses %s inside a transaction at once and stores nothing of either', async (_what, nested) => {
    const startedAt = performance.now();
    const attempt = harness.database.transact(async (session) => {
      await add(session, 'A1');
      await nested();
    });
    await expect(attempt).rejects.toBeInstanceOf(AssertionError);
    expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
    expect(await stored()).toEqual([]);
  });

  test('refuses a session after its transaction has ended', async () => {
    const session = await harness.database.transact(async (inner) => Promise.resolve({ inner }));
    expect(() => session.inner('agents')).toThrow(AssertionError);
    await expect(session.inner.raw('select 1')).rejects.toBeInstanceOf(AssertionError);
  });

  test('reports a taken unique key as duplicate_key', async () => {
    await harness.database.transact((session) => add(session, 'A1'));
    let runs = 0;
    const attempt = harness.database.transact(async (session) => {
      runs += 1;
      await add(session, 'A2');
      await add(session, 'A1');
    });
    await expect(attempt).rejects.toMatchObject({ name: 'AppError', code: 'duplicate_key' });
    expect(runs).toBe(1);
    expect(await stored()).toEqual(['A1']);
  });

  test('repeats the work after a duplicate if asked, and the second run sees the winner', async () => {
    await harness.database.transact((session) => add(session, 'A1'));
    const sightings: boolean[] = [];
    const outcome = await harness.database.transact(
      async (session) => {
        const isThere = sightings.length > 0 && (await agentIds(session)).includes('A1');
        sightings.push(isThere);
        if (isThere) return 'already there';
        await add(session, 'A2');
        await add(session, 'A1');
        return 'stored';
      },
      { retryDuplicate: true },
    );
    expect(outcome).toBe('already there');
    expect(sightings).toEqual([false, true]);
    expect(await stored()).toEqual(['A1']);
  });

  test('fails on a persistent duplicate after at most five runs', async () => {
    await harness.database.transact((session) => add(session, 'A1'));
    let runs = 0;
    const attempt = harness.database.transact(
      (session) => {
        runs += 1;
        return add(session, 'A1');
      },
      { retryDuplicate: true },
    );
    await expect(attempt).rejects.toMatchObject({ code: 'duplicate_key' });
    expect(runs).toBe(5);
  });

  test('reports an invalid statement as an internal error, without its values', async () => {
    const attempt = harness.database.transact((session) =>
      session('agents').insert({ ...agentRow('A1'), full_name: null, phone: 'canary-phone' }),
    );
    const error = await attempt.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'internal' });
    expect((error as AppError).message).not.toContain('canary-phone');
    expect(String((error as AppError).cause)).not.toContain('canary-phone');
  });

  test('runs twenty concurrent transactions that each read the previous result', async () => {
    await harness.database.transact((session) =>
      session('ledger_balances').insert({ account: 'clearing', balance_millimes: 0 }),
    );
    const step = (session: Session) =>
      session('ledger_balances')
        .where('account', 'clearing')
        .update({ balance_millimes: session.fragment('balance_millimes + ?', [1]) });
    await Promise.all(Array.from({ length: 20 }, () => harness.database.transact(step)));
    const rows = await harness.database.read((session) => session('ledger_balances').select('balance_millimes'));
    expect(rows).toEqual([{ balance_millimes: 20 }]);
  });

  test('gives a snapshot read one instant, whatever is committed meanwhile', async () => {
    const seen = await harness.database.read(
      async (session) => {
        const before = await agentIds(session);
        await writeElsewhere('A1');
        return [before, await agentIds(session)];
      },
      { snapshot: true },
    );
    expect(seen).toEqual([[], []]);
    expect(await stored()).toEqual(['A1']);
  });

  /** Through a door of its own, as another process would. */
  async function writeElsewhere(id: string): Promise<void> {
    const other = openDatabase(parsedUrl(harness.url), silentLogger);
    await other.transact((session) => add(session, id));
    await other.close();
  }
});
