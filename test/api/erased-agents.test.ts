// Goal: the gateway gets one true answer about an agent at each instant, also while the agent is being erased: a confirm
// is stored before the erasure, or refused after it.
import { beforeEach, expect, test } from '@jest/globals';
import { openAgentDirectory } from '../../src/agents';
import type { Millime } from '../../src/compose';
import { openDatabase } from '../../src/db';
import { millimes } from '../../src/kernel';
import { agentReceivable, openLedger } from '../../src/ledger';
import { silentLogger } from '../../src/logging';
import { parsedUrl } from '../support/db';
import { aDue, anAgent, assess, register, TESTER } from '../support/factories';
import { breaksOf, describeApi } from './support/api';

const DECISION = { actor: TESTER, reason: 'request 2026-17', dryRun: false };

describeApi('the calls of the gateway about an erased agent', (current) => {
  beforeEach(async () => {
    await register(current.api.millime, anAgent(), anAgent({ agentId: 'other' }));
  });

  test('S32: answers 1 to check and confirm, and opens a break for the confirm', async () => {
    const { api } = current;
    expect((await api.check('004711')).text).toContain('Amal Trabelsi');
    expect(await api.millime.erasures.eraseAgent('004711', DECISION)).toBe('erased');
    const { status, text } = await api.check('004711');
    expect([status, JSON.parse(text)]).toMatchObject([200, { code: '1' }]);
    expect(text).not.toMatch(/Trabelsi|erased/);
    expect(await api.confirmCode({ transactionId: 'T1', agentId: '004711', amount: 5 })).toBe('1');
    expect(await breaksOf(api.millime)).toMatchObject([{ breakClass: 'paid_but_rejected', amount: 5 }]);
    expect((await api.check('other')).text).toContain('Amal Trabelsi');
  });

  test('S32: answers 3 to a resend of a confirm that was stored before the erasure', async () => {
    const { api } = current;
    await assess(api.millime, aDue({ amount: millimes(5) }));
    const said = { transactionId: 'T1', agentId: '004711', amount: 5 };
    expect(await api.confirmCode(said)).toBe('0');
    await api.millime.erasures.eraseAgent('004711', DECISION);
    expect(await api.confirmCode(said)).toBe('3');
  });

  test('S32: refuses a confirm that waited for an erasure', async () => {
    const { api, harness } = current;
    await assess(api.millime, aDue({ amount: millimes(5) }));
    expect(await api.confirmCode({ transactionId: 'T0', agentId: '004711', amount: 5 })).toBe('0');
    // An erasure that stops before it writes, as on a slow server.
    const other = openDatabase(parsedUrl(harness.url), silentLogger);
    let confirmed: Promise<string> | undefined;
    await other.transact(async (session) => {
      const directory = openAgentDirectory(session);
      const agent = (await directory.find(['004711'], 'update')).get('004711');
      await openLedger(session).lockBalances([agentReceivable('004711')]);
      const waits = session.dialect === 'mariadb' ? postponed(api.millime) : undefined;
      confirmed ??= api.confirmCode({ transactionId: 'T1', agentId: '004711', amount: 5 });
      await waits;
      if (agent !== undefined) await directory.erase(agent, 1, 'test');
    });
    expect(await confirmed).toBe('1');
    // Only the use case stores the audit record that ledger verify wants.
    await other.transact((session) =>
      session('audit_records').insert({
        ...{ id: '01KJQ3Z4000000000000000001', at: 1, actor_kind: 'operator', actor_name: 'cli' },
        ...{ action: 'agent.erased', subject: 'agent:004711', detail: '{}' },
      }),
    );
    await other.close();
  });

  test('S32: erases or stores, never both, when 20 erasures and 20 confirms begin at once', async () => {
    const { api } = current;
    const ids = Array.from({ length: 20 }, (_, index) => `R-${index}`);
    await register(api.millime, ...ids.map((agentId) => anAgent({ agentId })));
    await Promise.all(
      ids.map(async (agentId) => {
        const [erased, code] = await Promise.all([
          api.millime.erasures.eraseAgent(agentId, DECISION).catch((error: unknown) => error),
          api.confirmCode({ transactionId: `T-${agentId}`, agentId, amount: 5 }),
        ]);
        const { credit } = await api.millime.dues.dueOf(agentId);
        if (code === '0') expect([erased, credit]).toMatchObject([{ code: 'conflict' }, 5]);
        else expect([code, erased, credit]).toEqual(['1', 'erased', 0]);
      }),
    );
  });
});

/** Resolves when a server has tried to lock a balance and left it out, because another transaction holds it. */
async function postponed({ database }: Millime): Promise<void> {
  const client = database.pool.client as { together(...args: readonly unknown[]): Promise<readonly unknown[]> };
  const together = client.together.bind(client);
  await new Promise<void>((resolve) => {
    client.together = async (...args) => {
      const answers = await together(...args);
      if (String(args[1]).includes('skip locked')) resolve();
      return answers;
    };
  });
  client.together = together;
}
