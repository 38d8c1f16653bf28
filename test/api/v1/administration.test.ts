import { beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient, clientOf } from './support/api-client';

describeApi('the operations of the administration', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
  });

  describe('showOwnKey', () => {
    test('answers the key of the request to a key with any scope', async () => {
      const { identity } = current.api.millime;
      const owner = { name: 'omar', scopes: ['agents:lookup'], ttlSeconds: 60, actor: OPERATOR, dryRun: false };
      const { key, text = '' } = await identity.createKey(owner);
      expect(await clientOf(current.api, key.id, text).done('showOwnKey')).toEqual({
        id: key.id,
        name: 'omar',
        scopes: ['agents:lookup'],
        state: 'active',
        createdAt: '2026-03-02T09:00:00.000Z',
        createdBy: 'cli',
        expiresAt: '2026-03-02T09:01:00.000Z',
        revokedAt: null,
      });
    });
  });

  describe('createKey', () => {
    const body = { name: 'amal', scopes: ['agents:lookup'] };

    test('creates a key that works, and shows none in a dry run', async () => {
      const { id, key } = await client.done('createKey', { body });
      expect(await clientOf(current.api, id, key).done('showOwnKey')).toMatchObject({ id, createdBy: 'salma' });
      const dry = await client.done('createKey', { body, query: { dryRun: true } });
      expect(dry).toMatchObject({ key: null, id: null });
    });

    test('refuses to grant a scope that the key lacks', async () => {
      const limited = await apiClient(current.api, { name: 'omar', scopes: ['keys:manage'] });
      expect(await limited.problem('createKey', { body })).toMatchObject({
        code: 'scopes_exceeded',
        params: { name: 'omar', scopes: ['agents:lookup'] },
      });
    });

    test.each(['cli', 'Amal', 'a b'])('refuses the name %j', async (name) => {
      const problem = await client.problem('createKey', { body: { ...body, name } });
      expect(problem).toMatchObject({ code: 'bad_input', errors: [{ pointer: '/name' }] });
    });
  });

  describe('revokeKey', () => {
    test('revokes the own key for the next request', async () => {
      await client.done('revokeKey', { params: { keyId: client.keyId }, body: { reason: 'lost' } });
      expect(await client.problem('showOwnKey')).toMatchObject({ code: 'unauthenticated' });
    });
  });

  describe('listAuditRecords', () => {
    test('filters by actor, action, key and time, and names the request', async () => {
      const { headers } = await client.call('createKey', { body: { name: 'amal', scopes: ['agents:lookup'] } });
      const list = async (query: Record<string, string>) => (await client.done('listAuditRecords', { query })).data;
      const [record, ...others] = await list({ actor: 'salma', action: 'key.created' });
      expect(record).toMatchObject({
        at: '2026-03-02T09:00:00.000Z',
        actor: { kind: 'api_key', name: 'salma', keyId: client.keyId },
        requestId: headers['x-request-id'],
      });
      expect(others).toEqual([]);
      expect(await list({ keyId: client.keyId, until: '2026-03-02T09:00:00.000Z' })).toEqual([]);
      expect(await list({ keyId: client.keyId, since: '2026-03-02T09:00:00.000Z' })).toEqual([record]);
      expect(await list({ subject: record.subject, actor: 'cli' })).toEqual([]);
    });
  });

  describe('mintServiceToken', () => {
    test('mints a token that the gateway can use, and none in a dry run', async () => {
      const body = { ttlSeconds: 60 };
      expect(await client.done('mintServiceToken', { body, query: { dryRun: true } })).toMatchObject({
        token: null,
        jti: null,
        expiresAt: '2026-03-02T09:01:00.000Z',
      });
      const { token } = await client.done('mintServiceToken', { body });
      const path = '/service/check/nobody';
      expect((await current.api.call({ path, headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
    });

    test('refuses an algorithm without an active key', async () => {
      const problem = await client.problem('mintServiceToken', { body: { ttlSeconds: 60, alg: 'ES256' } });
      expect(problem).toMatchObject({ code: 'bad_input', errors: [{ pointer: '/alg' }] });
      expect(JSON.stringify(problem)).not.toContain('millime token');
    });
  });

  describe('listJobs', () => {
    test('lists scheduled jobs that never ran', async () => {
      const { jobs } = await client.done('listJobs');
      expect(jobs).toContainEqual({
        name: 'reconcile',
        schedule: '30 6 * * *',
        lastWindow: null,
        lastOutcome: null,
        lastFinishedAt: null,
        lastError: null,
        runningWindow: null,
        lagMs: null,
      });
    });
  });

  describe('showGatewayBudget', () => {
    test('refuses without a gateway', async () => {
      expect(await client.problem('showGatewayBudget')).toMatchObject({ code: 'gateway_off', status: 409 });
    });
  });

  describe('diagnose', () => {
    test('answers what the installation lacks', async () => {
      expect(await client.done('diagnose')).toMatchObject({
        ok: true,
        database: current.harness.database.dialect,
        pendingMigrations: [],
        businessNow: '2026-03-02T09:00:00.000Z',
        features: { takingMoney: expect.stringMatching(/^off: /) },
        problems: [],
      });
    });
  });
});
