import { beforeEach, describe, expect, test } from '@jest/globals';
import { removeExpiredAnswers } from '../../../src/api';
import { rowsOf } from '../../../src/db';
import { anAgent, register } from '../../support/factories';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';

// Goal: one effect and one answer for each Idempotency-Key, whatever becomes of the process that answered first.
// Method: the row of a request is put into the state that a killed process leaves behind.

describeApi('an answer that is kept', (current) => {
  let client: ApiClient;
  const params = { agentId: '004711' };
  beforeEach(async () => {
    client = await apiClient(current.api);
    await register(current.api.millime, anAgent());
  });

  const change = (sql: string, ...values: (string | number)[]): Promise<unknown> =>
    current.api.millime.database.transact((session) => session.raw(sql, values));
  const audited = async (action: string): Promise<number> => {
    return (await current.api.millime.identity.auditRecords({ action, limit: 100 })).rows.length;
  };

  /** Leaves the row of a request as a process leaves it that is killed before it keeps the answer. */
  const killed = (leaseUntil: number): Promise<unknown> =>
    change('update idempotency_keys set status = null, headers = null, body = null, lease_until = ?', leaseUntil);

  const body = { agentId: 'new', fullName: 'Nour', phone: '' };

  test('belongs to one actor: another person may use the same key', async () => {
    const other = await apiClient(current.api, { name: 'omar' });
    await client.done('addAgent', { body, idempotencyKey: 'k' });
    const again = { body: { ...body, agentId: 'second' }, idempotencyKey: 'k' };
    expect(await other.done('addAgent', again)).toEqual({ agentId: 'second', dryRun: false });
  });

  test('serves another key of the same person', async () => {
    const replacement = await apiClient(current.api);
    await client.done('addAgent', { body, idempotencyKey: 'k' });
    const { headers } = await replacement.call('addAgent', { body, idempotencyKey: 'k' });
    expect(headers['idempotency-replayed']).toBe('true');
  });

  test('is not kept for a refused request, so the corrected one may use the key', async () => {
    const refused = await client.problem('addAgent', { body: { ...body, agentId: '004711' }, idempotencyKey: 'k' });
    expect(refused).toMatchObject({ code: 'agent_exists' });
    await client.done('addAgent', { body, idempotencyKey: 'k' });
  });

  describe('after its process was killed', () => {
    test('is awaited until the lease of the process ends', async () => {
      await client.done('addAgent', { body, idempotencyKey: 'k' });
      await killed(Date.now() + 60_000);
      const problem = await client.problem('addAgent', { body, idempotencyKey: 'k' });
      expect(problem).toMatchObject({ code: 'idempotency_key_in_progress', status: 409, retryAfterMs: 1_000 });
    });

    test('is answer_lost with the changed thing if the effect is stored', async () => {
      await client.done('addAgent', { body, idempotencyKey: 'k' });
      await killed(0);
      const problem = await client.problem('addAgent', { body, idempotencyKey: 'k' });
      expect(problem).toMatchObject({ code: 'answer_lost', status: 409 });
      expect(problem.detail).toContain('agent:new');
      expect(await audited('agent.added')).toBe(1);
    });

    test('is computed again if nothing was stored', async () => {
      await client.done('addAgent', { body, idempotencyKey: 'k' });
      await killed(0);
      await change("update idempotency_keys set request_id = '01KJQ0Z8XG3T5V7W9Y1B2C4D6F'");
      // The other request had no effect, so the use case runs and meets the agent of this test.
      expect(await client.problem('addAgent', { body, idempotencyKey: 'k' })).toMatchObject({ code: 'agent_exists' });
    });

    test('is computed again by an operation that may repeat', async () => {
      await client.done('closeAgent', { params, idempotencyKey: 'k' });
      await killed(0);
      const again = await client.done('closeAgent', { params, idempotencyKey: 'k' });
      expect(again).toMatchObject({ outcome: 'already_closed' });
      expect(await audited('agent.closed')).toBe(1);
    });

    test('is computed by one of many repeats', async () => {
      await client.done('closeAgent', { params, idempotencyKey: 'k' });
      await killed(0);
      const call = { params, idempotencyKey: 'k' };
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.call('closeAgent', call)));
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(await audited('agent.closed')).toBe(1);
    });
  });

  test('is forgotten after 48 hours', async () => {
    await client.done('addAgent', { body, idempotencyKey: 'k' });
    await client.done('closeAgent', { params, idempotencyKey: 'l' });
    await change("update idempotency_keys set expires_at = 1 where idempotency_key = 'k'");
    await removeExpiredAnswers(current.api.millime.database, new AbortController().signal);
    const left = await current.api.millime.database.read((session) =>
      rowsOf(session('idempotency_keys').select('idempotency_key')),
    );
    expect(left).toEqual([{ idempotency_key: 'l' }]);
  });

  test('that is expired does not stop a new request with its key', async () => {
    await client.done('addAgent', { body, idempotencyKey: 'k' });
    await change('update idempotency_keys set expires_at = 1');
    await client.done('addAgent', { body: { ...body, agentId: 'second' }, idempotencyKey: 'k' });
  });
});
