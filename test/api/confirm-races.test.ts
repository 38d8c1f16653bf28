import { beforeEach, expect, test } from '@jest/globals';
import { millimes } from '../../src/kernel';
import { aDue, anAgent, assess, register } from '../support/factories';
import { breaksOf, count, describeApi, rows, type Said, startApi } from './support/api';

describeApi('confirms at the same time', (current) => {
  const codesOf = (calls: readonly Said[]): Promise<string[]> =>
    Promise.all(calls.map((said) => current.api.confirmCode(said)));
  const tally = (codes: readonly string[]): Record<string, number> =>
    Object.fromEntries([...new Set(codes)].sort().map((code) => [code, codes.filter((each) => each === code).length]));

  beforeEach(async () => {
    const { millime } = current.api;
    await register(millime, anAgent(), anAgent({ agentId: 'other' }));
    await assess(millime, aDue({ amount: millimes(10_000) }));
  });

  test('F8: stores one of 50 identical calls and answers 3 to the others', async () => {
    const { millime } = current.api;
    const before = await count(millime, 'ledger_transactions');
    const said = { transactionId: 'T1', agentId: '004711', amount: 2_500 };
    expect(tally(await codesOf(Array.from({ length: 50 }, () => said)))).toEqual({ '0': 1, '3': 49 });
    expect(await count(millime, 'ledger_transactions')).toBe(before + 1);
    expect(await millime.dues.dueOf('004711')).toMatchObject({ due: 7_500, credit: 0 });
    expect(await rows(millime, 'confirm_refusals', ['kind', 'times'])).toEqual([{ kind: 'identical', times: 49 }]);
    expect(await breaksOf(millime)).toEqual([]);
  });

  test('F8: stores a call once when two servers on one database get it', async () => {
    const second = await startApi(current.harness.url);
    try {
      const said = { transactionId: 'T1', agentId: '004711', amount: 1 };
      const servers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? current.api : second));
      const codes = await Promise.all(servers.map((api) => api.confirmCode(said)));
      expect(tally(codes)).toEqual({ '0': 1, '3': 19 });
      expect(await count(current.api.millime, 'agent_confirmations')).toBe(1);
    } finally {
      await second.close();
    }
  });

  test.each([
    ['another amount', { amount: 2 }],
    ['another agent', { agentId: 'other' }],
  ])('F9: stores one of two calls with the same id and %s, and opens a break for the other', async (_what, other) => {
    const { millime } = current.api;
    const one = { transactionId: 'T1', agentId: '004711', amount: 1 };
    const two = { ...one, ...other };
    expect((await codesOf([one, two])).sort()).toEqual(['0', '3']);
    const [stored] = await rows(millime, 'agent_confirmations', ['agent_id', 'amount_millimes']);
    const winner = stored?.['agent_id'] === one.agentId && stored['amount_millimes'] === one.amount ? one : two;
    expect(stored).toEqual({ agent_id: winner.agentId, amount_millimes: winner.amount });
    const loser = winner === one ? two : one;
    expect(await breaksOf(millime)).toMatchObject([
      {
        breakClass: 'conflicting_duplicate',
        status: 'open',
        amount: loser.amount,
        subject: { facts: { agentId: JSON.stringify(loser.agentId), amount: String(loser.amount) } },
      },
    ]);
  });

  test.each([
    ['another amount', { amount: 2 }],
    ['another agent', { agentId: 'other' }],
  ])('F9: stores the first of two calls with %s, in either order', async (_what, other) => {
    const first = { agentId: '004711', amount: 1 };
    const second = { ...first, ...other };
    const codes = [
      await current.api.confirmCode({ transactionId: 'T1', ...first }),
      await current.api.confirmCode({ transactionId: 'T1', ...second }),
      await current.api.confirmCode({ transactionId: 'T2', ...second }),
      await current.api.confirmCode({ transactionId: 'T2', ...first }),
    ];
    expect(codes).toEqual(['0', '3', '0', '3']);
    const stored = await rows(current.api.millime, 'agent_confirmations', [
      'transaction_id',
      'agent_id',
      'amount_millimes',
    ]);
    expect(stored).toEqual([
      { transaction_id: 'T1', agent_id: first.agentId, amount_millimes: first.amount },
      { transaction_id: 'T2', agent_id: second.agentId, amount_millimes: second.amount },
    ]);
    expect((await breaksOf(current.api.millime)).map(({ breakClass }) => breakClass)).toEqual([
      'conflicting_duplicate',
      'conflicting_duplicate',
    ]);
  });

  test('F9: stores one of 25 calls with one id and 25 amounts, and opens 24 breaks', async () => {
    const { millime } = current.api;
    const calls = Array.from({ length: 25 }, (_, index) => ({
      transactionId: 'T1',
      agentId: '004711',
      amount: index + 1,
    }));
    expect(tally(await codesOf(calls))).toEqual({ '0': 1, '3': 24 });
    const kinds = (await breaksOf(millime)).map(({ breakClass }) => breakClass);
    expect(kinds).toEqual(Array.from({ length: 24 }, () => 'conflicting_duplicate'));
  });

  test.each([
    ['an agent who has a balance', '004711', 10_000 - 64 * 10, 0],
    ['an agent without any posting yet', 'other', 0, 64 * 10],
  ])('F10: stores the payments of 64 clients for %s, each once', async (_what, agentId, due, credit) => {
    const calls = Array.from({ length: 64 }, (_, index) => ({ transactionId: `T${index}`, agentId, amount: 10 }));
    expect(tally(await codesOf(calls))).toEqual({ '0': 64 });
    const { millime } = current.api;
    expect(await millime.dues.dueOf(agentId)).toMatchObject({ due, credit });
    expect(await count(millime, 'agent_confirmations')).toBe(64);
    const before = await rows(millime, 'agent_confirmations', ['balance_before_millimes']);
    expect(new Set(before.map((row) => row['balance_before_millimes'])).size).toBe(64);
  });

  test('F10: stores the payments of 64 clients for agents without any posting, through two servers', async () => {
    const { millime } = current.api;
    const agentIds = Array.from({ length: 8 }, (_, index) => `new${index}`);
    await register(millime, ...agentIds.map((agentId) => anAgent({ agentId })));
    const second = await startApi(current.harness.url);
    try {
      const codes = await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          (index % 2 === 0 ? current.api : second).confirmCode({
            transactionId: `T${index}`,
            agentId: agentIds[Math.floor(index / 8)],
            amount: 10,
          }),
        ),
      );
      expect(tally(codes)).toEqual({ '0': 64 });
      for (const agentId of agentIds) expect(await millime.dues.dueOf(agentId)).toMatchObject({ credit: 80 });
    } finally {
      await second.close();
    }
  });

  const AGENTS = Array.from({ length: 30 }, (_, index) => `agent${index}`);

  test('answers the checks of other agents while a row of one cannot be read', async () => {
    const { millime } = current.api;
    await register(millime, ...AGENTS.map((agentId) => anAgent({ agentId })));
    await millime.database.transact((session) => session('agents').where('agent_id', 'agent3').update({ status: '?' }));
    const statuses = await Promise.all(AGENTS.map(async (agentId) => (await current.api.check(agentId)).status));
    expect(statuses).toEqual(AGENTS.map((agentId) => (agentId === 'agent3' ? 503 : 200)));
  });

  test('opens one break for 30 identical refused calls and counts them', async () => {
    const { millime } = current.api;
    const said = { transactionId: 'T1', agentId: 'unknown', amount: 10 };
    expect(tally(await codesOf(Array.from({ length: 30 }, () => said)))).toEqual({ '1': 30 });
    expect(await rows(millime, 'confirm_refusals', ['kind', 'times'])).toEqual([{ kind: 'unknown_agent', times: 30 }]);
    expect(await count(millime, 'recon_breaks')).toBe(1);
  });

  test('answers mixed calls for two agents as if they had come one by one', async () => {
    const good = Array.from({ length: 10 }, (_, index) => ({
      transactionId: `T${index}`,
      agentId: index % 2 === 0 ? '004711' : 'other',
      amount: 100,
    }));
    const refused = good.map((said) => ({ ...said, transactionId: `R${said.transactionId}`, agentId: 'unknown' }));
    const bad = good.map((said) => ({ ...said, transactionId: `B${said.transactionId}`, amount: 0 }));
    const codes = await codesOf([...good, ...refused, ...bad, ...good]);
    expect(codes.slice(10, 30)).toEqual([...refused.map(() => '1'), ...bad.map(() => '2')]);
    expect(good.map((_, index) => [codes[index], codes[index + 30]].sort())).toEqual(good.map(() => ['0', '3']));
    expect(await current.api.millime.dues.dueOf('004711')).toMatchObject({ due: 9_500 });
    expect(await current.api.millime.dues.dueOf('other')).toMatchObject({ credit: 500 });
  });
});
