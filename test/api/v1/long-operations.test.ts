// Goal: a key cannot keep others from long operations, abandoned ones end, and a process that stops answers every one.
// Method: the test holds each operation and lets it go on; it answers in place of the thread.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LongOperations, longOperations } from '../../../src/api';
import { OPERATOR, SCOPES } from '../../../src/identity';
import { AppError } from '../../../src/kernel';
import { until } from '../../e2e/support/until';
import { describeOnEachDatabase } from '../../support/db';
import { RawConnection } from '../../support/raw-connection';
import { type Api, count, startApi } from '../support/api';
import type { Answer } from '../support/http-call';

/** An operation that has begun. */
interface Begun {
  readonly owner: string;
  /** Aborts if the client leaves; undefined for a write. */
  readonly left: AbortSignal | undefined;
  readonly answer: () => void;
}

describeOnEachDatabase('the long operations of a process', (harness) => {
  let begun: Begun[] = [];
  let operations: LongOperations;
  let api: Api;
  beforeEach(async () => {
    begun = [];
    operations = longOperations(
      ({ input: { actor } }, left) =>
        new Promise((resolve, reject) => {
          left?.addEventListener('abort', () => reject(new AppError('unavailable', 'the client left')));
          const answer = (): void => resolve({ status: 200, headers: {}, body: `"${actor.name}"` });
          begun.push({ owner: actor.name, left, answer });
        }),
    );
    api = await startApi(harness.url, { operations });
  });
  afterEach(() => api.close());

  const owners = (): string[] => begun.map(({ owner }) => owner);
  const untilBegun = (number: number): Promise<boolean> => until(`${number} begin`, () => begun.length === number);
  const keyOf = async (name: string): Promise<string> => {
    const { text = '' } = await api.millime.identity.createKey({
      name,
      scopes: SCOPES,
      actor: OPERATOR,
      dryRun: false,
    });
    return `Bearer ${text}`;
  };
  const report = (key: string): Promise<Answer> =>
    api.call({ path: '/api/v1/reports/daily', headers: { Authorization: key } });
  const dryRun = (key: string): Promise<Answer> =>
    api.call({
      ...{ method: 'POST', path: '/api/v1/runs?dryRun=true', body: '{}' },
      headers: { Authorization: key, 'Content-Type': 'application/json' },
    });
  const FILE = 'agent_id,full_name,phone\nA-1,Nour,\n';
  const importHead = (key: string, idempotencyKey: string) => ({
    Authorization: key,
    'Content-Type': 'text/csv',
    'Idempotency-Key': idempotencyKey,
  });
  const importAgents = (key: string, idempotencyKey: string): Promise<Answer> =>
    api.call({
      ...{ method: 'POST', path: '/api/v1/agent-imports', body: FILE },
      headers: importHead(key, idempotencyKey),
    });
  /** Sends a request on a connection that the test can close. */
  async function open(line: string, headers: Readonly<Record<string, string>>, body = ''): Promise<RawConnection> {
    const connection = await RawConnection.open(api.port);
    const all = { Host: 'a', ...headers, ...(body === '' ? {} : { 'Content-Length': String(body.length) }) };
    const head = [`${line} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), '', ''];
    connection.send(head.join('\r\n') + body);
    return connection;
  }
  const openReport = (key: string): Promise<RawConnection> => open('GET /api/v1/reports/daily', { Authorization: key });
  const openImport = (key: string, idempotencyKey: string): Promise<RawConnection> =>
    open('POST /api/v1/agent-imports', importHead(key, idempotencyKey), FILE);
  const keptRequests = (): Promise<number> => count(api.millime, 'idempotency_keys');
  const codeOf = ({ status, text, headers }: Answer): unknown => [
    status,
    (JSON.parse(text) as { code?: string }).code,
    headers['retry-after'],
  ];

  test('a key that floods them has one place, two wait, and another key is answered', async () => {
    const [reader, runner] = [await keyOf('omar'), await keyOf('salma')];
    let busy = 0;
    const flood = Array.from({ length: 14 }, async () => {
      const answer = await report(reader);
      if (answer.status === 503) busy += 1;
      return answer;
    });
    await until('the flood is refused', () => busy === 11);
    const other = dryRun(runner);
    await untilBegun(2);
    expect(owners()).toEqual(['omar', 'salma']);
    begun[1]?.answer();
    expect(await other).toMatchObject({ status: 200, text: '"salma"' });
    begun[0]?.answer();
    for (const number of [3, 4]) {
      await untilBegun(number);
      begun[number - 1]?.answer();
    }
    const codes = (await Promise.all(flood)).map(codeOf);
    expect(codes.filter((code) => String(code) === '503,busy,5')).toHaveLength(11);
    expect(codes.filter((code) => String(code) === '200,,')).toHaveLength(3);
  });

  describe.each([
    ['closes its connection', (connection: RawConnection) => connection.destroy()],
    ['closes its sending half', (connection: RawConnection) => connection.endSending()],
  ])('a client that %s', (_what, leave) => {
    test('leaves the queue, and its operation never begins', async () => {
      const key = await keyOf('omar');
      const first = importAgents(key, 'first');
      await untilBegun(1);
      const abandoned = await openImport(key, 'abandoned');
      await until('the second one waits', async () => (await keptRequests()) === 2);
      leave(abandoned);
      // A refusal frees the key.
      await until('the second one has left', async () => (await keptRequests()) === 1);
      begun[0]?.answer();
      expect((await first).status).toBe(200);
      const next = report(key);
      await untilBegun(2);
      begun[1]?.answer();
      expect((await next).status).toBe(200);
      expect(begun).toHaveLength(2);
    });

    test('ends its read, which frees the place', async () => {
      const key = await keyOf('omar');
      const abandoned = await openReport(key);
      await untilBegun(1);
      const next = report(key);
      leave(abandoned);
      await untilBegun(2);
      expect(begun[0]?.left?.aborted).toBe(true);
      begun[1]?.answer();
      expect((await next).status).toBe(200);
    });

    test('ends no write, and its repeat gets the answer', async () => {
      const key = await keyOf('omar');
      const abandoned = await openImport(key, 'kept');
      await untilBegun(1);
      leave(abandoned);
      expect(begun[0]?.left).toBeUndefined();
      begun[0]?.answer();
      const repeat = await until('the answer is kept', async () => {
        const answer = await importAgents(key, 'kept');
        return answer.status === 409 ? undefined : answer;
      });
      expect([repeat.status, repeat.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(begun).toHaveLength(1);
    });
  });

  describe('in a process that stops', () => {
    test('are refused while they wait, and run if a place is free', async () => {
      const [key, other] = [await keyOf('omar'), await keyOf('salma')];
      const running = report(key);
      await untilBegun(1);
      const waiting = importAgents(key, 'waiting');
      await until('the second one waits', async () => (await keptRequests()) === 1);
      operations.refuseWaiting();
      expect(codeOf(await waiting)).toEqual([503, 'draining', '5']);
      expect(await keptRequests()).toBe(0);
      expect(codeOf(await report(key))).toEqual([503, 'draining', '5']);
      const free = report(other);
      await untilBegun(2);
      begun.forEach(({ answer }) => answer());
      expect([(await running).status, (await free).status]).toEqual([200, 200]);
    });

    test('are answered before it ends, and a write that ends after that keeps its answer', async () => {
      const [key, other] = [await keyOf('omar'), await keyOf('salma')];
      const calls = [importAgents(key, 'late'), report(other)];
      await untilBegun(2);
      operations.answerRunning();
      for (const call of calls) expect(codeOf(await call)).toEqual([503, 'draining', '5']);
      expect(codeOf(await importAgents(key, 'late'))).toEqual([503, 'draining', '5']);
      begun.forEach(({ answer }) => answer());
      const restarted = await startApi(harness.url);
      try {
        const repeat = await until('the answer is kept', async () => {
          const answer = await restarted.call({
            ...{ method: 'POST', path: '/api/v1/agent-imports', body: FILE },
            headers: importHead(key, 'late'),
          });
          return answer.status === 409 ? undefined : answer;
        });
        expect([repeat.text, repeat.headers['idempotency-replayed']]).toEqual(['"omar"', 'true']);
      } finally {
        await restarted.close();
      }
    });
  });
});
