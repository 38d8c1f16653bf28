import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openAgentItems } from '../../src/agent-settlement';
import { type AppErrorCode } from '../../src/kernel';
import { aFault } from '../support/a-fault';
import { describeOnEachDatabase } from '../support/db';
import { anAgent, register } from '../support/factories';
import { testRun } from '../support/test-run';
import { type Api, type ApiOptions, expectBooksRight, rows, SECRET_OF_ENVIRONMENT, startApi } from './support/api';
import type { Answer } from './support/http-call';

// Goal: every internal error is 503, never a code, and the gateway's resend gets the correct answer. Method: a database
// that fails in several ways, and rooms that throw.

const SAID = { transactionId: 'T1', agentId: '004711', amount: 500 };
const running: Api[] = [];
afterEach(async () => {
  for (const api of running.splice(0)) await api.close();
});

async function start(databaseUrl: string, options: ApiOptions = {}): Promise<Api> {
  const api = await startApi(databaseUrl, { ...options, environment: SECRET_OF_ENVIRONMENT });
  running.push(api);
  return api;
}

function expectUnavailable({ status, headers, text }: Answer): void {
  expect([status, text]).toEqual([503, '{"error":"unavailable"}']);
  expect(headers['retry-after']).toBe('5');
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
}

async function expectNothingWorksButRefusing(api: Api): Promise<void> {
  expectUnavailable(await api.check('004711'));
  expectUnavailable(await api.confirm(SAID));
  const answer = await api.call({ path: '/service/check/004711', headers: { Authorization: 'Bearer bad' } });
  expect([answer.status, answer.text]).toEqual([403, '{"error":"forbidden"}']);
  expect((await api.call({ path: '/healthz' })).status).toBe(200);
  const ready = await api.call({ path: '/readyz' });
  expect([ready.status, ready.text]).toEqual([503, '{"error":"database"}']);
}

describe('without a database (open points 91 and 131)', () => {
  test('answers 503, and 403 to an invalid token: no server listens', async () => {
    await expectNothingWorksButRefusing(await start('mysql://root@127.0.0.1:1/none'));
  });

  test('answers 503, and 403 to an invalid token: a file without tables', async () => {
    await expectNothingWorksButRefusing(await start(`sqlite:${join(testRun.folder, 'without-tables.sqlite3')}`));
  });
});

describeOnEachDatabase('a database that fails while the server runs', (harness) => {
  /** Takes a table away, and gives the means to bring it back. */
  async function hide(api: Api, table: string): Promise<() => Promise<void>> {
    const rename = async (from: string, to: string): Promise<void> => {
      await harness.database.pool.schema.renameTable(from, to);
    };
    expect((await api.check('004711')).status).toBe(200);
    await rename(table, `${table}_hidden`);
    return () => rename(`${table}_hidden`, table);
  }

  async function untilUnavailable(api: Api): Promise<void> {
    const TRIES_MAX = 1_000;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) if ((await api.check('004711')).status === 503) return;
    throw new Error('the server never noticed');
  }

  const followed = async (api: Api): Promise<unknown> =>
    rows(api.millime, 'agent_confirmations', ['transaction_id', 'followed_unavailable']);

  async function startWithAgent(options: ApiOptions = {}): Promise<Api> {
    const api = await start(harness.url, options);
    await register(api.millime, anAgent());
    return api;
  }

  test('answers 503 after it is closed', async () => {
    const api = await startWithAgent();
    expect((await api.check('004711')).status).toBe(200);
    await api.millime.database.close();
    await untilUnavailable(api);
    await expectNothingWorksButRefusing(api);
  });

  test.each(['agents', 'ledger_balances'])('answers 503 to check without the table %s', async (table) => {
    const api = await startWithAgent();
    const bringBack = await hide(api, table);
    try {
      expectUnavailable(await api.check('004711'));
    } finally {
      await bringBack();
    }
    expect((await api.check('004711')).status).toBe(200);
  });

  test.each(['agent_confirmations', 'postings', 'ledger_transactions', 'ledger_balances'])(
    'answers 503 to confirm without the table %s, stores nothing, and stores and marks its resend',
    async (table) => {
      const api = await startWithAgent();
      const bringBack = await hide(api, table);
      try {
        expectUnavailable(await api.confirm(SAID));
      } finally {
        await bringBack();
      }
      expect(await followed(api)).toEqual([]);
      await expectBooksRight(api.millime);
      expect(await api.confirmCode(SAID)).toBe('0');
      expect(await api.confirmCode({ ...SAID, transactionId: 'T2' })).toBe('0');
      expect(await followed(api)).toEqual([
        { transaction_id: 'T1', followed_unavailable: 1 },
        { transaction_id: 'T2', followed_unavailable: 0 },
      ]);
      await expectBooksRight(api.millime);
    },
  );

  test.each(['confirm_refusals', 'recon_breaks', 'recon_break_events'])(
    'gives no code to a call that it cannot record without the table %s',
    async (table) => {
      const api = await startWithAgent();
      const bringBack = await hide(api, table);
      const unknown = { ...SAID, agentId: 'unknown' };
      try {
        expectUnavailable(await api.confirm(unknown));
        expectUnavailable(await api.confirm({ ...SAID, amount: 0 }));
        expectUnavailable(await api.confirm({ agentId: '004711', amount: 1 }));
      } finally {
        await bringBack();
      }
      expect(await rows(api.millime, 'confirm_refusals', ['kind', 'times'])).toEqual([]);
      expect(await api.confirmCode(unknown)).toBe('1');
      expect(await rows(api.millime, 'confirm_refusals', ['kind', 'times'])).toEqual([
        { kind: 'unknown_agent', times: 1 },
      ]);
    },
  );

  test('marks a confirm that failed because the token could not be verified', async () => {
    const api = await startWithAgent();
    const bringBack = await hide(api, 'service_token_revocations');
    try {
      await untilUnavailable(api);
      expectUnavailable(await api.confirm(SAID));
    } finally {
      await bringBack();
    }
    expect(await api.confirmCode(SAID)).toBe('0');
    expect(await api.confirmCode({ ...SAID, transactionId: 'T2' })).toBe('0');
    expect(await followed(api)).toEqual([
      { transaction_id: 'T1', followed_unavailable: 1 },
      { transaction_id: 'T2', followed_unavailable: 0 },
    ]);
  });

  test('answers a malformed body as usual while the token cannot be verified', async () => {
    const api = await startWithAgent();
    const bringBack = await hide(api, 'service_token_revocations');
    const post = { method: 'POST', path: '/service/confirm', headers: { 'Content-Type': 'application/json' } };
    try {
      await untilUnavailable(api);
      for (const body of ['{', '[]', '', 'x'.repeat(20_000), '{"transactionId":1}']) {
        expectUnavailable(await api.call({ ...post, body }));
      }
    } finally {
      await bringBack();
    }
  });

  test('keeps the mark if the confirm is answered 1 in between', async () => {
    const api = await startWithAgent();
    const later = { ...SAID, agentId: 'later' };
    const bringBack = await hide(api, 'agents');
    try {
      expectUnavailable(await api.confirm(later));
    } finally {
      await bringBack();
    }
    expect(await api.confirmCode(later)).toBe('1');
    await register(api.millime, anAgent({ agentId: 'later' }));
    expect(await api.confirmCode(later)).toBe('0');
    expect(await followed(api)).toEqual([{ transaction_id: 'T1', followed_unavailable: 1 }]);
  });

  describe('reconciliation uses the time of receipt', () => {
    const sharp = async (api: Api): Promise<unknown> =>
      (
        await api.millime.database.read((session) =>
          openAgentItems(session).receivedBefore(Date.parse('2026-03-03T00:00:00Z')),
        )
      ).map(({ itemId, availableAfter }) => [itemId, availableAfter !== undefined]);

    test('only for a confirm that was stored at its first call', async () => {
      const api = await startWithAgent();
      const bringBack = await hide(api, 'postings');
      try {
        expectUnavailable(await api.confirm({ ...SAID, transactionId: 'after 503' }));
      } finally {
        await bringBack();
      }
      expect(await api.confirmCode({ ...SAID, transactionId: 'after 1', agentId: 'unknown' })).toBe('1');
      expect(await api.confirmCode({ ...SAID, transactionId: 'after 2', amount: 0 })).toBe('2');
      for (const name of ['after 1', 'after 2', 'after 503', 'at once', 'repeated']) {
        expect(await api.confirmCode({ ...SAID, transactionId: name })).toBe('0');
      }
      expect(await api.confirmCode({ ...SAID, transactionId: 'repeated' })).toBe('3');
      expect(await sharp(api)).toEqual([
        ['service:after 1', false],
        ['service:after 2', false],
        ['service:after 503', false],
        ['service:at once', true],
        ['service:repeated', false],
      ]);
    });
  });

  describe('an internal error', () => {
    const failing =
      (error: () => unknown): NonNullable<ApiOptions['replace']> =>
      () => {
        const fail = async (): Promise<never> => {
          throw error();
        };
        return { agentSettlement: { check: fail, confirm: fail, noteUnanswered: () => undefined } };
      };

    const CANARY = 'canary-in-the-message';
    const codes: AppErrorCode[] = ['unavailable', 'outcome_unknown', 'storage_broken', 'duplicate_key', 'internal'];
    const FAULTS: readonly [string, () => unknown][] = [
      ['a TypeError', () => new TypeError(CANARY)],
      ['a RangeError with a cause', () => new RangeError(CANARY, { cause: new Error(CANARY) })],
      ['a URIError of our own making', () => new Error(CANARY, { cause: new URIError(CANARY) })],
      ['a text', () => CANARY],
      ['nothing', () => undefined],
      ['null', () => null],
      ['an object that says it is a 404', () => ({ status: 404, message: CANARY })],
      ...codes.map((code): [string, () => unknown] => [`AppError ${code}`, () => aFault(code, CANARY)]),
    ];

    test.each(FAULTS)('is 503 without its message: %s', async (_what, error) => {
      const api = await start(harness.url, { replace: failing(error) });
      expectUnavailable(await api.check('004711'));
      expectUnavailable(await api.confirm(SAID));
    });
  });
});
