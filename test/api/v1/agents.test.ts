import { beforeEach, describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { aDue, anAgent, assess, register } from '../../support/factories';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';

describeApi('the operations on agents', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
    await register(current.api.millime, anAgent());
    await assess(current.api.millime, aDue({ amount: millimes(150_000) }));
  });

  describe('showAgent', () => {
    test('answers the agent with the due amount and an ETag', async () => {
      const { status, body, headers } = await client.call('showAgent', { params: { agentId: '004711' } });
      expect(status).toBe(200);
      expect(body).toMatchObject({ agentId: '004711', fullName: 'Amal Trabelsi', dueMillimes: 150_000 });
      const again = { params: { agentId: '004711' }, headers: { 'If-None-Match': String(headers.etag) } };
      expect((await client.call('showAgent', again)).status).toBe(304);
    });

    test('answers not_found for an id that differs in one byte', async () => {
      expect(await client.problem('showAgent', { params: { agentId: '4711' } })).toMatchObject({ code: 'not_found' });
    });
  });

  describe('addAgent', () => {
    const body = { agentId: 'a/1 ß', fullName: 'Nour', phone: '' };

    test('adds an agent whom a dry run did not add, and names the place of the agent', async () => {
      await client.done('addAgent', { body, query: { dryRun: true } });
      expect(await client.problem('showAgent', { params: { agentId: 'a/1 ß' } })).toMatchObject({ code: 'not_found' });
      const { status, headers } = await client.call('addAgent', { body });
      expect([status, headers.location]).toEqual([201, '/api/v1/agents/a%2F1%20%C3%9F']);
      expect(await client.done('showAgent', { params: { agentId: 'a/1 ß' } })).toMatchObject({ fullName: 'Nour' });
    });

    test('names the request in the audit record', async () => {
      const { headers } = await client.call('addAgent', { body });
      const { rows } = await current.api.millime.identity.auditRecords({ limit: 1 });
      expect(rows[0]).toMatchObject({ action: 'agent.added', requestId: headers['x-request-id'], keyId: client.keyId });
    });

    test('names each field that it does not accept', async () => {
      const problem = await client.problem('addAgent', { body: { agentId: '', fullName: 'A', more: 1 } });
      expect(problem).toMatchObject({
        code: 'bad_input',
        errors: [
          { in: 'body', pointer: '/agentId', detail: 'expected an id of 1 to 255 bytes without control characters' },
          { in: 'body', pointer: '/more', detail: 'is not known' },
        ],
        errorCount: 2,
      });
    });
  });

  describe('importDues', () => {
    const HEAD = 'reference,agent_id,amount_millimes,due_date,memo';

    test('names the first faults of a file and their number, and stores nothing', async () => {
      const body = Buffer.from([HEAD, ...Array.from({ length: 5_000 }, () => 'x,,,,')].join('\n'));
      const problem = await client.problem('importDues', { body, query: { dryRun: true } });
      expect(problem).toMatchObject({ code: 'file_faults', status: 422, errorCount: 3 * 5_000 + 4_999 });
      expect(problem.errors).toHaveLength(100);
      expect(problem.errors[0]).toEqual({ detail: 'line 2: agent_id: is empty' });
    });

    test('shortens the fault of a heading that is as long as the file', async () => {
      const body = Buffer.from(`${HEAD},${'x'.repeat(1_000_000)}\n`);
      const { errors, errorCount } = await client.problem('importDues', { body });
      expect(errorCount).toBe(1);
      expect(errors[0].detail).toMatch(/^line 1: the header must be .* unknown: "x{100,}…$/);
      expect(errors[0].detail).toHaveLength(301);
    });
  });
});

describeApi('a key that may only look up agents', (current) => {
  let visitor: ApiClient;
  const params = { agentId: '004711' };
  beforeEach(async () => {
    visitor = await apiClient(current.api, { name: 'field', scopes: ['agents:lookup'] });
    await register(current.api.millime, anAgent({ phone: '+216 22 123 456' }));
  });

  test('sees the end of a phone number, and each look-up is in the audit trail without what was searched for', async () => {
    expect(await visitor.done('showAgent', { params })).toMatchObject({ phone: '••• 456' });
    const { agents } = await visitor.done('searchAgents', { body: { q: 'amal' } });
    expect(agents).toMatchObject([{ fullName: 'Amal Trabelsi', phone: '••• 456' }]);
    const { rows } = await current.api.millime.identity.auditRecords({ action: 'agent.looked_up', limit: 10 });
    expect(rows.map(({ subject, actorName, detail }) => [subject, actorName, detail])).toEqual([
      ['agent:004711', 'field', {}],
      ['agent:004711', 'field', {}],
    ]);
    await visitor.done('searchAgents', { body: { q: 'zzzz' } });
    const { rows: newest } = await current.api.millime.identity.auditRecords({ action: 'agent.looked_up', limit: 1 });
    expect(newest).toMatchObject([{ subject: 'agents', detail: {} }]);
  });

  test('is limited in all processes together, so that it cannot copy the directory', async () => {
    const codes = await Promise.all(
      Array.from({ length: 40 }, async () => (await visitor.call('showAgent', { params })).status),
    );
    expect(codes.filter((status) => status === 200)).toHaveLength(30);
    expect(await visitor.problem('showAgent', { params })).toMatchObject({ code: 'look_ups_limited', status: 429 });
    current.api.setClock('2026-03-02T09:01:00.001Z');
    expect((await visitor.call('showAgent', { params })).status).toBe(200);
  });

  test('sees each agent that a search shows, and unknown ids, as one of its look-ups', async () => {
    const more = Array.from({ length: 12 }, (_, index) => anAgent({ agentId: `T-${index}`, fullName: 'Tarek' }));
    await register(current.api.millime, ...more);
    const search = { body: { q: 'tarek' } };
    for (let call = 0; call < 2; call += 1) {
      expect((await visitor.done('searchAgents', search)).agents).toHaveLength(10);
    }
    for (let call = 0; call < 5; call += 1) await visitor.problem('showAgent', { params: { agentId: `X-${call}` } });
    expect(await visitor.problem('searchAgents', search)).toMatchObject({ code: 'look_ups_limited' });
    expect((await visitor.call('showAgent', { params })).status).toBe(200);
  });

  test('leaves no record of the readers of the directory', async () => {
    const reader = await apiClient(current.api, { name: 'reader', scopes: ['agents:lookup', 'agents:read'] });
    expect(await reader.done('showAgent', { params })).toMatchObject({ phone: '+216 22 123 456' });
    const { rows } = await current.api.millime.identity.auditRecords({ action: 'agent.looked_up', limit: 10 });
    expect(rows).toEqual([]);
  });
});
