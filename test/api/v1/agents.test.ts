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
      });
    });
  });
});
