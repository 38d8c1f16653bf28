import { beforeEach, describe, expect, test } from '@jest/globals';
import { anAgent, register } from '../../support/factories';
import { RawConnection } from '../../support/raw-connection';
import { describeApiOnOneDatabase } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';
import { openBreak } from './support/scenarios/credit-world';

// Conventions of all operations, each shown on one.

describeApiOnOneDatabase(
  'a request to the API',
  (current) => {
    let client: ApiClient;
    const params = { agentId: '004711' };
    beforeEach(async () => {
      client = await apiClient(current.api);
      await register(current.api.millime, anAgent());
    });

    describe('with If-None-Match', () => {
      const read = (tag: string) => client.call('showAgent', { params, headers: { 'If-None-Match': tag } });

      test('gets 304 for the tag as it is, weak, in a list, and for any tag', async () => {
        const { etag = '' } = (await client.call('showAgent', { params })).headers;
        for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) expect((await read(known)).status).toBe(304);
      });

      test('gets the answer for another tag', async () => {
        for (const known of ['"x"', 'x', '']) expect((await read(known)).status).toBe(200);
      });
    });

    test('gets whole milliseconds of time to wait beyond its limit', async () => {
      const limited = await apiClient(current.api, { name: 'omar', scopes: ['agents:lookup'] });
      for (let read = 0; read < 30; read += 1) await limited.done('showAgent', { params });
      const problem = await limited.problem('showAgent', { params });
      expect(problem.code).toBe('look_ups_limited');
      expect(Number.isInteger(problem.retryAfterMs)).toBe(true);
    });

    test('is refused with a number that not every program reads exactly', async () => {
      const body = { amountMillimes: 2 ** 53, reference: 'O-1' };
      const { errors } = await client.problem('createPayment', { body });
      const [{ pointer, detail }] = errors;
      expect([pointer, detail]).toEqual(['/amountMillimes', `expected a number of at most ${Number.MAX_SAFE_INTEGER}`]);
    });

    test('is refused while the same owner has too many bytes of files in memory, and others are not', async () => {
      const mebibyte = 1024 * 1024;
      const begin = async (): Promise<RawConnection> => {
        const connection = await RawConnection.open(current.api.port);
        const own = [
          `Authorization: Bearer ${client.keyText}`,
          'Content-Type: text/csv',
          `Content-Length: ${31 * mebibyte}`,
        ];
        connection.send(['POST /api/v1/agent-imports?dryRun=true HTTP/1.1', 'Host: x', ...own, '', ''].join('\r\n'));
        connection.send(Buffer.alloc(30 * mebibyte, 'x'));
        return connection;
      };
      const held = await Promise.all([begin(), begin(), begin()]);
      expect((await Promise.race(held.map((each) => each.next())))?.status).toBe(503);
      const other = await apiClient(current.api, { name: 'omar' });
      const body = Buffer.from('agent_id,full_name,phone\nA-1,Nour,\n');
      await other.done('importAgents', { query: { dryRun: true }, body });
      held.forEach((each) => each.destroy());
    });

    test('is refused if an object of its body repeats a key', async () => {
      const wire = {
        method: 'POST',
        path: '/api/v1/agents',
        headers: {
          Authorization: `Bearer ${client.keyText}`,
          'Idempotency-Key': 'k',
          'Content-Type': 'application/json',
        },
      };
      const body = '{"agentId":"A-1","fullName":"Nour","agentId":"A-2"}';
      const { status, text } = await current.api.call({ ...wire, body });
      expect([status, JSON.parse(text)]).toMatchObject([
        400,
        { code: 'bad_input', errors: [{ in: 'body', detail: expect.stringContaining('duplicate_key') }] },
      ]);
    });

    describe('with the Idempotency-Key of an answered one', () => {
      test('gets its answer, with and without dryRun=false', async () => {
        const body = { agentId: 'A-1', fullName: 'Nour', phone: '' };
        const first = await client.done('addAgent', { body, idempotencyKey: 'k' });
        const query = { dryRun: false };
        expect(await client.done('addAgent', { body, query, idempotencyKey: 'k' })).toEqual(first);
      });

      test('is refused with another If-Match', async () => {
        const { id: breakId, version } = await openBreak(current.api, 'f');
        const call = { params: { breakId }, body: { text: 'seen' }, idempotencyKey: 'k' };
        const ifMatch = `"${version}"`;
        const first = await client.done('commentBreak', { ...call, ifMatch });
        expect(await client.done('commentBreak', { ...call, ifMatch })).toEqual(first);
        const other = await client.problem('commentBreak', { ...call, ifMatch: '"99"' });
        expect(other).toMatchObject({ code: 'idempotency_key_reused', status: 422 });
      });
    });

    describe('with a new id', () => {
      const NOT_VISIBLE = ['0047\u200b11', '\u2066A', 'A\u00ad1', '.', '..'];

      test.each(NOT_VISIBLE)('is refused for %j', async (id) => {
        const agent = { agentId: id, fullName: 'Nour', phone: '' };
        expect(await client.problem('addAgent', { body: agent })).toMatchObject({
          code: 'bad_input',
          errors: [{ pointer: '/agentId' }],
        });
        const payment = { amountMillimes: 12_500, reference: id };
        expect(await client.problem('createPayment', { body: payment })).toMatchObject({
          code: 'bad_input',
          errors: [{ pointer: '/reference' }],
        });
      });
    });
  },
  { hasGateway: true },
);
