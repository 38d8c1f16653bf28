import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { agentReceivable } from '../../src/ledger';
import { describeOnMariaDb, freshDatabase } from '../support/db';
import { anAgent, register } from '../support/factories';
import { type Api, expectBooksRight, SECRET_OF_ENVIRONMENT, startApi } from './support/api';

// Goal: a payment waits for the balance of its own agent, and for no other. Method: a transaction beside the server
// holds the row of one agent, as a slow or stopped process does. SQLite has one writer at a time and no row locks.

const AGENTS = Array.from({ length: 30 }, (_, index) => `agent${index}`);
const [HELD = '', ...OTHERS] = AGENTS;

describeOnMariaDb('An agent whose balance another transaction holds', () => {
  let api: Api;

  beforeAll(async () => {
    api = await startApi((await freshDatabase('mariadb')).url, { environment: SECRET_OF_ENVIRONMENT });
    await register(api.millime, ...AGENTS.map((agentId) => anAgent({ agentId })));
  });

  afterAll(() => api.close());

  const pay = (agentId: string, round: number): Promise<string> =>
    api.confirmCode({ transactionId: `T${round}-${agentId}`, agentId, amount: 10 });

  test('delays no payment of another agent, and is paid once the row is free', async () => {
    await Promise.all(AGENTS.map((agentId) => pay(agentId, 1)));
    const held: string[] = [];
    const paying: Promise<unknown>[] = [];
    const others = await api.millime.database.transact(async (session) => {
      await session('ledger_balances').where('account', agentReceivable(HELD)).forUpdate();
      for (const round of [2, 3]) paying.push(pay(HELD, round).then((code) => held.push(code)));
      const codes = [];
      for (const round of [2, 3]) codes.push(...(await Promise.all(OTHERS.map((agentId) => pay(agentId, round)))));
      expect(held).toEqual([]);
      return codes;
    });
    expect(others).toEqual([...OTHERS, ...OTHERS].map(() => '0'));
    await Promise.all(paying);
    expect(held).toEqual(['0', '0']);
    expect(await api.millime.dues.dueOf(HELD)).toMatchObject({ credit: 30 });
    await expectBooksRight(api.millime);
  });
});
