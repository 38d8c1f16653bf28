import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../../src/api';
import { OPERATOR, SCOPES } from '../../../src/identity';
import { MINUTE_MS } from '../../../src/kernel';
import { type Api, describeApi, NOW, startApi } from '../support/api';
import { type ApiClient, apiClient, clientOf, type OperationCall, wireCall } from './support/api-client';
import { extremeCalls } from './support/extreme-calls';
import { SCENARIOS } from './support/scenarios';

// Generated from the list of operations: what holds for all of them. Each has a scenario, a call that it answers with a
// 2xx; the client holds every answer against the schema of its operation.

test('every operation has a scenario, and every scenario an operation', () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual(ROUTES.map(({ operationId }) => operationId).sort());
});

test('every operation that reads a whole file runs in a thread', () => {
  const files = ROUTES.filter(({ body }) => body === 'file');
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter(({ isLong }) => !isLong)).toEqual([]);
});

test('no operation runs in a thread that shows agents without agents:read, because the main thread counts them', () => {
  expect(ROUTES.filter(({ isLong, scope }) => isLong && scope === 'agents:lookup')).toEqual([]);
});

const OPERATIONS = ROUTES.map((route) => ({ ...route, toString: () => route.operationId }));
const LISTS = OPERATIONS.filter(({ isList }) => isList);
const KEYED = OPERATIONS.filter(({ method, effect }) => method === 'post' && effect !== 'reads');
const DRY = OPERATIONS.filter(({ dryRun }) => dryRun);
const VERSIONED = OPERATIONS.filter(({ version }) => version === 'required');

/** The calls with one key that come at once, on two servers. */
const AT_ONCE = 50;

const UNKNOWN_KEY = `mlm_01KJQ0Z8XG3T5V7W9Y1B2C4D6F_${'A'.repeat(43)}`;

/** Each parameter of a path is some text: the guards come before it matters. */
const anyParams = (path: string): Record<string, string> =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '2026-03-02']));

describeApi(
  'every operation',
  (current) => {
    let client: ApiClient;
    beforeEach(async () => {
      // Some scenarios move the clock.
      current.api.setClock(NOW);
      client = await apiClient(current.api);
    });

    test.each(OPERATIONS)('%s answers unauthenticated without a key and with an unknown one', async (route) => {
      const params = anyParams(route.path);
      for (const Authorization of [
        '',
        'Bearer',
        'Basic c2Vl',
        `Bearer ${UNKNOWN_KEY}`,
        `bearer x, Bearer ${client.keyText}`,
      ]) {
        const problem = await client.problem(route.operationId, { params, headers: { Authorization } });
        expect(problem).toMatchObject({ code: 'unauthenticated', status: 401 });
      }
    });

    test.each(OPERATIONS)('S12: %s answers unauthenticated to the token of the gateway', async (route) => {
      const { api } = current;
      expect((await api.check('unknown')).status).toBe(200);
      const call = { params: anyParams(route.path), headers: { Authorization: api.bearer } };
      expect(await client.problem(route.operationId, call)).toMatchObject({ code: 'unauthenticated', status: 401 });
    });

    test('S12: a key with every scope is no token of the gateway', async () => {
      const headers = { Authorization: `Bearer ${client.keyText}` };
      expect((await current.api.call({ path: '/service/check/unknown', headers })).status).toBe(403);
    });

    test.each(OPERATIONS)('%s answers unauthenticated from the revocation of the key on', async (route) => {
      const { api } = current;
      const decision = { reason: 'lost', actor: OPERATOR, dryRun: false };
      await api.millime.identity.revokeKey({ keyId: client.keyId, ...decision });
      const problem = await client.problem(route.operationId, { params: anyParams(route.path) });
      expect(problem).toMatchObject({ code: 'unauthenticated' });
    });

    test.each(OPERATIONS.filter(({ scope }) => scope !== undefined))(
      'S10, S12: %s needs its scope before anything',
      async (route) => {
        const others = SCOPES.filter((scope) => scope !== route.scope);
        const limited = await apiClient(current.api, { name: 'omar', scopes: others });
        const problem = await limited.problem(route.operationId, { params: anyParams(route.path) });
        expect(problem).toMatchObject({ code: 'missing_scope', params: { name: 'omar', scope: route.scope } });
      },
    );

    test.each(OPERATIONS)('%s answers its scenario with a declared 2xx', async ({ operationId }) => {
      const { call } = await scenario(operationId);
      expect((await client.call(operationId, call)).status).toBeLessThan(300);
    });

    test.each(OPERATIONS)('%s refuses an unknown and a repeated parameter', async ({ operationId }) => {
      const { call } = await scenario(operationId);
      const unknown = await client.problem(operationId, { ...call, query: { ...call.query, nowhere: 1 } });
      expect(unknown).toMatchObject({ code: 'bad_input', errors: [{ in: 'query', pointer: '/nowhere' }] });
    });

    test.each(LISTS)('%s refuses a cursor that it did not answer', async ({ operationId }) => {
      const { call } = await scenario(operationId);
      const forged = Buffer.from(JSON.stringify([1, '0123456789abcdef', 1, 'x'])).toString('base64url');
      for (const cursor of ['x', '%00', 'e30', forged]) {
        const problem = await client.problem(operationId, { ...call, query: { ...call.query, cursor } });
        expect(problem).toMatchObject({ code: 'bad_cursor' });
      }
    });

    test.each(LISTS)('%s answers the same rows in pages of one as in one page', async ({ operationId }) => {
      const { call } = await scenario(operationId);
      const whole = await client.done(operationId, { ...call, query: { ...call.query, limit: 200 } });
      const paged: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: OperationCall['query'] = { ...call.query, limit: 1, ...(cursor === '' ? {} : { cursor }) };
        const page = await client.done(operationId, { ...call, query });
        paged.push(...page.data);
        expect(page.hasMore).toBe(page.nextCursor !== null);
        cursor = page.nextCursor;
      }
      expect(paged).toEqual(whole.data);
      expect(paged.length).toBeGreaterThan(1);
    });

    describe('with an Idempotency-Key', () => {
      test.each(KEYED)('%s refuses a call without one', async (route) => {
        const { call } = await scenario(route.operationId);
        const wire = wireCall(route, client.keyText, call);
        const { 'Idempotency-Key': _key, ...headers } = wire.headers;
        const { status, text } = await current.api.call({ ...wire, headers });
        expect([status, JSON.parse(text).code]).toEqual([400, 'idempotency_key_missing']);
      });

      test.each(KEYED)('%s repeats its answer and has one effect', async (route) => {
        const { call, effect } = await scenario(route.operationId);
        const first = await client.call(route.operationId, { ...call, idempotencyKey: 'same' });
        expect(first.status).toBeLessThan(300);
        expect(first.headers['idempotency-replayed']).toBeUndefined();
        const after = await effect?.();
        const again = await client.call(route.operationId, { ...call, idempotencyKey: 'same' });
        if (route.effect === 'secret') expect(again.body).toMatchObject({ code: 'secret_shown_once' });
        else expect([again.status, again.body]).toEqual([first.status, first.body]);
        if (route.effect !== 'secret') expect(again.headers['idempotency-replayed']).toBe('true');
        expect(await effect?.()).toEqual(after);
        expect(after).toBeDefined();
      });

      test.each(KEYED)('%s refuses another payload under the same key', async ({ operationId }) => {
        const { call, other } = await scenario(operationId);
        expect((await client.call(operationId, { ...call, idempotencyKey: 'same' })).status).toBeLessThan(300);
        const problem = await client.problem(operationId, { ...other, idempotencyKey: 'same' });
        expect(problem).toMatchObject({ code: 'idempotency_key_reused', status: 422 });
      });

      describe('on two servers', () => {
        let second: Api;
        beforeAll(async () => {
          second = await startApi(current.harness.url, { environment: current.api.environment });
        });
        afterAll(() => second.close());

        test.each(KEYED)(`%s has one effect when ${AT_ONCE} calls with one key come at once`, async (route) => {
          const { operationId } = route;
          const { call, effect, effects = 1 } = await scenario(operationId);
          const clients = [client, clientOf(second, client.keyId, client.keyText)];
          const before = await effect?.();
          const calls = Array.from({ length: AT_ONCE }, (_, index) => clients[index % 2] as ApiClient);
          const answers = await Promise.all(
            calls.map((each) => each.call(operationId, { ...call, idempotencyKey: 'same' })),
          );
          const codes = answers.filter(({ status }) => status >= 400).map(({ body }) => body.code as string);
          expect(answers.length - codes.length).toBeGreaterThan(0);
          const expected = ['idempotency_key_in_progress', ...(route.effect === 'secret' ? ['secret_shown_once'] : [])];
          expect(expected).toEqual(expect.arrayContaining(codes));
          const bodies = answers.filter(({ status }) => status < 300).map(({ body }) => JSON.stringify(body));
          expect(new Set(bodies).size).toBe(1);
          if (route.effect === 'secret') expect(bodies).toHaveLength(1);
          expect(await effect?.()).toBe(Number(before) + effects);
        });
      });
    });

    test.each(DRY)('%s stores nothing in a dry run', async ({ operationId }) => {
      const { call, effect } = await scenario(operationId);
      const before = await effect?.();
      const { status, headers } = await client.call(operationId, { ...call, query: { ...call.query, dryRun: true } });
      expect(status).toBeLessThan(300);
      expect(headers['idempotency-replayed']).toBeUndefined();
      expect(await effect?.()).toEqual(before);
    });

    describe('repeats no 503 for ever', () => {
      let bare: Api;
      beforeAll(async () => {
        bare = await startApi(current.harness.url, { canNotify: false });
      });
      afterAll(() => bare.close());
      // The gateway allows few calls a minute.
      beforeEach(() => current.api.gateway.simulator.advanceTo((now) => now + MINUTE_MS));

      test.each(OPERATIONS)('%s, for extreme values', async (route) => {
        const { call } = await scenario(route.operationId);
        for (const extreme of extremeCalls(route, call)) {
          const headers = { ...extreme.headers, 'Accept-Language': 'fr' };
          const { status } = await client.call(route.operationId, { ...extreme, headers });
          expect([extreme, status]).not.toEqual([extreme, 503]);
        }
      });

      test.each(OPERATIONS)('%s, on a server with every feature off', async ({ operationId }) => {
        const { call } = await scenario(operationId);
        const { status, body } = await clientOf(bare, client.keyId, client.keyText).call(operationId, call);
        expect([status, body]).not.toEqual([503, body]);
      });
    });

    test.each([...VERSIONED.map(({ operationId }) => operationId), 'none'])(
      '%s needs the version',
      async (operationId) => {
        if (operationId === 'none') return expect(VERSIONED.length).toBeGreaterThanOrEqual(0);
        const { ifMatch: _version, ...call } = (await scenario(operationId)).call;
        expect(await client.problem(operationId, call)).toMatchObject({ code: 'version_missing', status: 428 });
        const other = await client.problem(operationId, { ...call, ifMatch: '"99"' });
        expect(other).toMatchObject({ code: 'version_changed', status: 412 });
      },
    );

    async function scenario(operationId: string) {
      const make = SCENARIOS[operationId];
      if (make === undefined) throw new Error(`${operationId} has no scenario`);
      return make(current.api, client);
    }
  },
  { hasGateway: true },
);
