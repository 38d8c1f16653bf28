import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { anAgent, register } from '../support/factories';
import { recordingLogger } from '../support/fakes';
import { sized } from '../support/faults';
import { exchange, type RawAnswer, RawConnection } from '../support/raw-connection';
import { CLAIMS, SECRET, signedToken } from '../unit/service-tokens/signed-token';
import {
  type Api,
  count,
  describeApi,
  describeApiOnOneDatabase,
  rows,
  type Said,
  SECRET_OF_ENVIRONMENT,
  startApi,
} from './support/api';
import type { Answer } from './support/http-call';
import { expectJsonOrNothing, rawConfirm, rawRequest } from './support/raw-request';

const FOUND = '{"code":"0","desc":"Amal Trabelsi","amount":"0"}';
const UNKNOWN_AGENT = '{"code":"1","desc":"","amount":"0"}';
const REFUSED = '{"error":"forbidden"}';
const bearerOf = (sub: string): string =>
  `Bearer ${signedToken({ alg: 'HS256' }, { ...CLAIMS, sub }, { key: SECRET })}`;

describeApiOnOneDatabase(
  'F19: limits',
  (current) => {
    const opened: RawConnection[] = [];
    const open = async (): Promise<RawConnection> => {
      const connection = await RawConnection.open(current.api.port);
      opened.push(connection);
      return connection;
    };
    const head = (...lines: readonly string[]): string =>
      rawRequest({ method: 'POST', target: '/service/confirm', headers: ['Host: x', ...lines], body: '' });
    const good = (): string[] => [`Authorization: ${current.api.bearer}`, 'Content-Type: application/json'];
    const stored = async (): Promise<unknown[]> =>
      (await rows(current.api.millime, 'agent_confirmations', ['transaction_id'])).map((row) => row['transaction_id']);

    beforeEach(() => register(current.api.millime, anAgent()));
    afterEach(() => opened.splice(0).forEach((connection) => connection.destroy()));

    describe('of the head', () => {
      const get = (target: string, ...lines: string[]): Promise<RawAnswer[]> =>
        exchange(
          current.api.port,
          rawRequest({
            target,
            headers: ['Host: x', 'Connection: close', `Authorization: ${current.api.bearer}`, ...lines],
          }),
        );

      test.each([
        ['a path of 8,192 characters is looked at', '/service/check/'.padEnd(8_192, 'x'), [], 200, UNKNOWN_AGENT],
        [
          'a path of 8,193 characters is 414',
          '/service/check/'.padEnd(8_193, 'x'),
          [],
          414,
          '{"error":"uri_too_long"}',
        ],
        ['a query counts', `/service/check/x?${'y'.repeat(8_192)}`, [], 414, '{"error":"uri_too_long"}'],
        ['a path of 20 kB is 431', '/service/check/'.padEnd(20_000, 'x'), [], 431, ''],
        ['a header of 20 kB is 431', '/service/check/x', [`X: ${'y'.repeat(20_000)}`], 431, ''],
        ['20 kB of headers are 431', '/service/check/x', Array.from({ length: 2_000 }, () => 'X: 1234567890'), 431, ''],
      ])('%s', async (_what, target, lines, status, text) => {
        const answers = await get(target, ...lines);
        expect(answers.map((answer) => [answer.status, answer.text])).toEqual([[status, text]]);
        answers.forEach(expectJsonOrNothing);
      });

      test('answers 403 to a path of 8,193 characters without a token', async () => {
        const target = '/service/check/'.padEnd(8_193, 'x');
        const [answer] = await exchange(
          current.api.port,
          rawRequest({ target, headers: ['Host: x', 'Connection: close'] }),
        );
        expect([answer?.status, answer?.text]).toEqual([403, REFUSED]);
      });
    });

    describe('of the body', () => {
      test.each([
        ['a length that was not sent yet', ['Content-Length: 16385'], 413],
        ['a length of gigabytes', ['Content-Length: 9007199254740991'], 413],
        ['a compressed body', ['Content-Length: 100', 'Content-Encoding: gzip'], 415],
      ])('refuses %s before it arrives', async (_what, lines, status) => {
        const connection = await open();
        connection.send(head(...good(), ...lines));
        const answer = await connection.next();
        expect([answer?.status, answer?.headers['connection']]).toEqual([status, 'close']);
      });

      test('S5: answers 403 to a caller without a token before the body arrives', async () => {
        for (const lines of [
          ['Content-Length: 9007199254740991'],
          ['Content-Length: 5'],
          ['Transfer-Encoding: chunked'],
        ]) {
          const connection = await open();
          connection.send(head('Content-Type: application/json', ...lines));
          const answer = await connection.next();
          expect([answer?.status, answer?.text, answer?.headers['connection']]).toEqual([403, REFUSED, 'close']);
        }
      });

      test('answers 413 while chunks beyond the limit arrive, then closes the connection', async () => {
        const connection = await open();
        connection.send(head(...good(), 'Transfer-Encoding: chunked'));
        connection.send(`4001\r\n${'x'.repeat(0x4001)}\r\n`);
        const answer = await connection.next();
        expect([answer?.status, answer?.text]).toEqual([413, '{"error":"payload_too_large"}']);
        // Never ends, and says a confirm again and again.
        const confirm = rawConfirm(current.api.bearer, 'HIDDEN');
        while (!connection.isClosed) {
          connection.send(`${confirm.length.toString(16)}\r\n${confirm}\r\n`);
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(await stored()).toEqual([]);
      });

      test('reads a refused body to its end, so that its sender can read the answer', async () => {
        const connection = await open();
        connection.send(head(...good(), 'Content-Length: 1000000') + 'x'.repeat(1_000_000));
        expect((await connection.all()).map(({ status }) => status)).toEqual([413]);
      });

      test.each([
        ['a number of 10,000 digits', `{"transactionId":"T1","agentId":"004711","amount":${'9'.repeat(10_000)}}`, '2'],
        [
          '10,000 digits behind the point',
          `{"transactionId":"T1","agentId":"004711","amount":0.${'1'.repeat(10_000)}}`,
          '2',
        ],
        [
          'an exponent of 10,000 digits',
          `{"transactionId":"T1","agentId":"004711","amount":1e${'9'.repeat(10_000)}}`,
          '2',
        ],
        [
          'an id that is a number of 10,000 digits',
          `{"transactionId":${'9'.repeat(10_000)},"agentId":"004711","amount":1}`,
          '3',
        ],
      ])('treats %s as a bad value and nothing else', async (_what, body, code) => {
        const { status, text } = await current.api.call({
          method: 'POST',
          path: '/service/confirm',
          headers: { 'Content-Type': 'application/json' },
          body,
        });
        expect([status, text]).toEqual([200, `{"code":"${code}"}`]);
        expect(await stored()).toEqual([]);
      });

      const keysOf = (count: number): string =>
        `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0,`).join('')}"transactionId":"T1","agentId":"004711","amount":1}`;
      test.each([
        ['100,000 keys', keysOf(100_000), 413, '{"error":"payload_too_large"}'],
        ['the 1,900 keys that fit', keysOf(1_900), 200, '{"code":"0"}'],
      ])('refuse an object of %s', async (_what, body, status, text) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await current.api.call({ method: 'POST', path: '/service/confirm', headers, body });
        expect([answer.status, answer.text]).toEqual([status, text]);
      });
    });

    describe('Expect: 100-continue', () => {
      const body = '{"transactionId":"T1","agentId":"004711","amount":1}';
      const expecting = (...lines: readonly string[]): string =>
        head(...lines, 'Expect: 100-continue', `Content-Length: ${body.length}`);

      test('is answered after the token is verified, and the confirm is stored', async () => {
        const connection = await open();
        connection.send(expecting(...good()));
        expect((await connection.next())?.status).toBe(100);
        expect(await stored()).toEqual([]);
        connection.send(body);
        expect((await connection.next())?.text).toBe('{"code":"0"}');
        expect(await stored()).toEqual(['T1']);
      });

      test.each<readonly [string, () => string[], number]>([
        ['a bad token', () => ['Content-Type: application/json', 'Authorization: Bearer bad'], 403],
        ['a body that is too large', () => [...good(), 'Content-Length: 16385'], 413],
        ['a compressed body', () => [...good(), 'Content-Encoding: br'], 415],
      ])('is not answered for %s', async (_what, lines, status) => {
        const connection = await open();
        const own = lines();
        const saysLength = own.some((line) => line.startsWith('Content-Length'));
        connection.send(saysLength ? head(...own, 'Expect: 100-continue') : expecting(...own));
        expect((await connection.next())?.status).toBe(status);
      });

      test('is not answered where no body is read', async () => {
        const connection = await open();
        connection.send(
          rawRequest({ target: '/service/check/004711', headers: ['Host: x', ...good(), 'Expect: 100-continue'] }),
        );
        expect((await connection.next())?.text).toBe(FOUND);
      });
    });
  },
  { environment: SECRET_OF_ENVIRONMENT },
);

describeApiOnOneDatabase(
  'S11: bad tokens (open point 96)',
  (current) => {
    const A_MINUTE = 30;
    const apis: Api[] = [];
    const start = async (environment: Record<string, string> = {}): Promise<Api> => {
      const api = await startApi(current.harness.url, { environment: { ...SECRET_OF_ENVIRONMENT, ...environment } });
      apis.push(api);
      return api;
    };
    afterEach(async () => {
      for (const api of apis.splice(0)) await api.close();
    });

    /** Whether the connection is taken away with the answer to a bad token; it never is before the limit. */
    async function isLimited({ port }: Api, ...headers: readonly string[]): Promise<boolean> {
      const connection = await RawConnection.open(port);
      connection.send(
        rawRequest({ target: '/service/check/004711', headers: ['Host: x', 'Authorization: Bearer bad', ...headers] }),
      );
      const answer = await connection.next();
      connection.destroy();
      expect([answer?.status, answer?.text]).toEqual([403, REFUSED]);
      return answer?.headers['connection'] === 'close';
    }

    async function exhaust(api: Api, header: (index: number) => string = () => 'X: y'): Promise<void> {
      for (let index = 0; index < A_MINUTE; index += 1) expect(await isLimited(api, header(index))).toBe(false);
    }

    test('close an address’s connections after 30 in a minute; a valid token is still accepted', async () => {
      const api = await start();
      await register(api.millime, anAgent());
      await exhaust(api);
      expect([await isLimited(api), await isLimited(api)]).toEqual([true, true]);
      for (let call = 0; call < A_MINUTE + 1; call += 1) expect((await api.check('004711')).text).toBe(FOUND);
      expect(await api.confirmCode({ transactionId: 'T1', agentId: '004711', amount: 1 })).toBe('0');
    });

    test('are counted by the connection’s address and not by an untrusted X-Forwarded-For', async () => {
      const api = await start();
      await exhaust(api, (index) => `X-Forwarded-For: 198.51.100.${index}`);
      expect(await isLimited(api, 'X-Forwarded-For: 198.51.100.99')).toBe(true);
    });

    test('are counted by client behind a trusted proxy', async () => {
      const api = await start({ TRUSTED_PROXIES: '127.0.0.0/8' });
      await exhaust(api, () => 'X-Forwarded-For: 198.51.100.1');
      expect(await isLimited(api, 'X-Forwarded-For: 198.51.100.1')).toBe(true);
      expect(await isLimited(api, 'X-Forwarded-For: 198.51.100.2')).toBe(false);
    });

    test('are counted by the proxy’s entry, whatever the client wrote before it', async () => {
      const api = await start({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });
      await exhaust(api, (index) => `X-Forwarded-For: 203.0.113.${index}, 198.51.100.1, 10.0.0.7`);
      expect(await isLimited(api, 'X-Forwarded-For: 203.0.113.99, 198.51.100.1, 10.0.0.7')).toBe(true);
      expect(await isLimited(api, 'X-Forwarded-For: 198.51.100.1, 198.51.100.2')).toBe(false);
    });

    test('are counted by network in IPv6, where one caller has 2^64 addresses', async () => {
      const api = await start({ TRUSTED_PROXIES: '127.0.0.1' });
      await exhaust(api, (index) => `X-Forwarded-For: 2001:db8:1:2::${index.toString(16)}`);
      expect(await isLimited(api, 'X-Forwarded-For: 2001:DB8:1:2:ffff::1')).toBe(true);
      expect(await isLimited(api, 'X-Forwarded-For: 2001:db8:1:3::1')).toBe(false);
    });
  },
  { environment: SECRET_OF_ENVIRONMENT },
);

/** No more may wait on one connection. */
const PER_CONNECTION = 100;

async function checkAll(port: number, ids: readonly string[], bearer: string): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  for (let from = 0; from < ids.length; from += PER_CONNECTION) {
    const connection = await RawConnection.open(port);
    const page = ids.slice(from, from + PER_CONNECTION);
    const headers = ['Host: x', `Authorization: ${bearer}`];
    connection.send(page.map((id) => rawRequest({ target: `/service/check/${id}`, headers })).join(''));
    for (const _id of page) {
      const answer = await connection.next();
      if (answer !== undefined) answers.push(answer);
    }
    connection.destroy();
  }
  return answers;
}

const TOO_MANY = '{"error":"too_many_unknown"}';
const GUESSES_A_MINUTE = 600;

describeApiOnOneDatabase(
  'S25: guessing ids (open point 96)',
  (current) => {
    const A_MINUTE = GUESSES_A_MINUTE;
    const GUESSES = sized({ short: 1_000, full: 10_000 });
    const KNOWN_EVERY = 10;
    const LIMIT_MS = 120_000;
    const title = `${GUESSES} random ids of one token are limited, known ids and other tokens never`;
    test(
      title,
      async () => {
        await register(current.api.millime, anAgent());
        const ids = Array.from({ length: GUESSES }, (_, index) =>
          index % KNOWN_EVERY === 0 ? '004711' : randomUUID(),
        );
        const guesser = bearerOf('guesser');
        const answers = await checkAll(current.api.port, ids, guesser);

        const known = answers.filter((_, index) => ids[index] === '004711');
        const guesses = answers.filter((_, index) => ids[index] !== '004711');
        expect(known.map(({ text }) => text)).toEqual(known.map(() => FOUND));
        expect(known).toHaveLength(GUESSES / KNOWN_EVERY);
        expect(guesses.slice(0, A_MINUTE).map(({ text }) => text)).toEqual(Array<string>(A_MINUTE).fill(UNKNOWN_AGENT));
        const limited = guesses.slice(A_MINUTE);
        expect(limited).toHaveLength(GUESSES - known.length - A_MINUTE);
        for (const { status, text, headers } of limited) {
          expect([status, text]).toEqual([503, TOO_MANY]);
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
        }

        const [other] = await checkAll(current.api.port, [randomUUID()], bearerOf('other'));
        expect(other?.text).toBe(UNKNOWN_AGENT);
      },
      LIMIT_MS,
    );
  },
  { environment: SECRET_OF_ENVIRONMENT },
);

const logger = recordingLogger();
let callers = 0;

// Goal: confirm tells no more about agents than check does, and a flood of refusals is bounded in what it stores.
describeApi(
  'S26: guessing ids by confirm',
  (current) => {
    let bearer = '';
    let subject = '';
    /** A caller that nothing was counted of. */
    beforeEach(async () => {
      callers += 1;
      subject = `caller-${callers}`;
      bearer = bearerOf(subject);
      await register(current.api.millime, anAgent());
    });

    const guess = async (times: number): Promise<void> => {
      const ids = Array.from({ length: times }, () => randomUUID());
      const answers = await checkAll(current.api.port, ids, bearer);
      expect(answers.filter(({ text }) => text === UNKNOWN_AGENT)).toHaveLength(times);
    };
    const confirm = (said: Said): Promise<Answer> =>
      current.api.call({
        method: 'POST',
        path: '/service/confirm',
        headers: { Authorization: bearer, 'Content-Type': 'application/json' },
        body: JSON.stringify(said),
      });
    /** The code; `503` past the limit. */
    const code = async (said: Said): Promise<string> => {
      const { status, text } = await confirm(said);
      if (status === 503 && text === TOO_MANY) return '503';
      return /^\{"code":"([0-3])"\}$/.exec(text)?.[1] ?? `${status} ${text}`;
    };
    const refusals = (): Promise<unknown[]> =>
      rows(current.api.millime, 'confirm_refusals', ['transaction_id', 'kind', 'times']);
    const openBreaks = async (): Promise<number> => (await current.api.millime.breaks.list({})).length;
    const warnings = (): unknown[] =>
      logger
        .events('agent_settlement.unknown_checks_limited')
        .flatMap(({ level, fields }) => (fields['subject'] === subject ? [level] : []));
    const stored = (): Promise<number> => count(current.api.millime, 'agent_confirmations');

    test('counts unknown ids of check and refused confirms together, answers the rest alike and warns once', async () => {
      await guess(GUESSES_A_MINUTE - 3);
      const guesses = [
        { transactionId: 'T1', agentId: 'unknown', amount: 0 },
        { transactionId: 'T2', agentId: '004711', amount: 0 },
        { agentId: '004711', amount: 1 },
      ];
      expect([await code(guesses[0] ?? {}), await code(guesses[1] ?? {}), await code(guesses[2] ?? {})]).toEqual([
        '1',
        '2',
        '3',
      ]);
      const before = [await refusals(), await openBreaks()];
      expect(before[0]).toHaveLength(3);
      expect(before[1]).toBe(3);
      expect(warnings()).toEqual([]);

      const shape = ({ status, text, headers }: Answer): unknown => {
        const { date: _date, 'retry-after': retryAfter, ...others } = headers;
        expect(Number(retryAfter)).toBeGreaterThan(0);
        expect(Number(retryAfter)).toBeLessThanOrEqual(60);
        return { status, text, others };
      };
      const [unknown, known] = [
        await confirm({ transactionId: 'T3', agentId: 'unknown', amount: 0 }),
        await confirm({ transactionId: 'T4', agentId: '004711', amount: 0 }),
      ];
      expect([unknown.status, unknown.text]).toEqual([503, TOO_MANY]);
      expect(shape(known)).toEqual(shape(unknown));
      for (const again of guesses) expect(shape(await confirm(again))).toEqual(shape(unknown));
      const [checked] = await checkAll(current.api.port, [randomUUID()], bearer);
      expect([checked?.status, checked?.text]).toEqual([503, TOO_MANY]);

      expect([await refusals(), await openBreaks()]).toEqual(before);
      expect(warnings()).toEqual(['warn']);
    });

    test('never limits a confirm that is stored, its resend or a conflict, nor another caller', async () => {
      await guess(GUESSES_A_MINUTE);
      expect(await code({ transactionId: 'T1', agentId: 'unknown', amount: 1 })).toBe('503');
      const good = { transactionId: 'T1', agentId: '004711', amount: 1 };
      expect([await code(good), await code(good), await code({ ...good, amount: 2 })]).toEqual(['0', '3', '3']);
      expect(
        (await Promise.all([code({ ...good, transactionId: 'T2' }), code({ ...good, transactionId: 'T2' })])).sort(),
      ).toEqual(['0', '3']);
      expect(await stored()).toBe(2);
      expect(await openBreaks()).toBe(1); // the conflict
      bearer = bearerOf(`another-${subject}`);
      expect(await code({ transactionId: 'T3', agentId: 'unknown', amount: 1 })).toBe('1');
    });

    test('records each of the concurrent calls that it answered at the limit, and no other', async () => {
      const [left, calls] = [10, 40];
      await guess(GUESSES_A_MINUTE - left);
      const codes = await Promise.all(
        Array.from({ length: calls }, (_, index) =>
          code({ transactionId: `T${index}`, agentId: index % 2 === 0 ? 'unknown' : '004711', amount: 0 }),
        ),
      );
      expect(codes.filter((each) => each === '503')).toHaveLength(calls - left);
      const answered = codes.flatMap((each, index) =>
        each === '503'
          ? []
          : [{ transaction_id: `T${index}`, kind: each === '1' ? 'unknown_agent' : 'invalid_amount', times: 1 }],
      );
      expect(answered).toHaveLength(left);
      expect(await refusals()).toEqual(answered.toSorted((a, b) => (a.transaction_id < b.transaction_id ? -1 : 1)));
      expect(await openBreaks()).toBe(left);
    });

    test('counts two concurrent calls with one transaction id once each', async () => {
      await guess(GUESSES_A_MINUTE - 2);
      const said = { transactionId: 'T1', agentId: 'unknown', amount: 5 };
      expect(await Promise.all([code(said), code(said)])).toEqual(['1', '1']);
      expect(await code(said)).toBe('503');
      expect(await refusals()).toEqual([{ transaction_id: 'T1', kind: 'unknown_agent', times: 2 }]);
      expect(await openBreaks()).toBe(1);
    });

    test('stores a limited confirm when its agent exists at the resend, as one that followed a failure', async () => {
      await guess(GUESSES_A_MINUTE);
      const said = { transactionId: 'T1', agentId: 'later', amount: 5 };
      expect(await code(said)).toBe('503');
      await register(current.api.millime, anAgent({ agentId: 'later' }));
      expect(await code(said)).toBe('0');
      expect(
        await rows(current.api.millime, 'agent_confirmations', ['transaction_id', 'followed_unavailable']),
      ).toEqual([{ transaction_id: 'T1', followed_unavailable: 1 }]);
      expect([await refusals(), await openBreaks()]).toEqual([[], 0]);
    });
  },
  { environment: SECRET_OF_ENVIRONMENT, replace: () => ({ logger }) },
);
