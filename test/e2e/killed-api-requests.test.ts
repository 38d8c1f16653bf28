// Goal: kill -9 between any two steps of a request with an Idempotency-Key, and a repeat of it, have one effect together.
// Method: a process answers the request and kills itself at the first boundary of a transaction, then at the second, and
// so on until it answers; the request is repeated after each death, once the lease of the dead process has ended.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { openBreakStore } from '../../src/breaks';
import { compose, type Millime } from '../../src/compose';
import { loadConfig } from '../../src/config';
import { OPERATOR, SCOPES } from '../../src/identity';
import { businessDate, millimes } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import { describeOnEachDatabase, isInFull } from '../support/db';
import { anAgent, register } from '../support/factories';
import { recordFault } from '../support/faults';
import { Installation } from './support/installation';
import { changeRows, countRows, selectRows } from './support/tables';

const SCRIPT = join(__dirname, 'support', 'api-crash-process.cjs');
const LIMIT_MS = 600_000;
/** More than any of these requests has: one that never ends is a fault of its own. */
const BOUNDARIES_MAX = 40;

/** Nothing of a process lies in its database between transactions, whichever that is. */
const STEP = { sqlite: 1, mariadb: isInFull() ? 1 : 3 };

interface Repeated {
  readonly path: (round: number) => string;
  readonly body: (round: number) => unknown;
  /** The number of effects of a round. */
  readonly effects: (url: string, round: number) => Promise<number>;
  readonly headers?: Readonly<Record<string, string>>;
}

const audited = (url: string, action: string, subject: string): Promise<number> =>
  countRows(url, 'audit_records', `action = '${action}' and subject = '${subject}'`);

/** One operation of each kind of repeat. */
const KINDS: Readonly<Record<string, Repeated>> = {
  'an operation that may repeat': {
    path: (round) => `/agents/a-${round}/close`,
    body: () => undefined,
    effects: (url, round) => audited(url, 'agent.closed', `agent:a-${round}`),
  },
  'an operation with one effect': {
    path: () => '/agents',
    body: (round) => ({ agentId: `new-${round}`, fullName: 'Nour' }),
    effects: (url, round) => audited(url, 'agent.added', `agent:new-${round}`),
  },
  'a step of a break': {
    path: (round) => `/breaks/${breakId(round)}/comment`,
    body: () => ({ text: 'the bank confirmed it' }),
    effects: (url, round) =>
      countRows(url, 'recon_break_events', `break_id = '${breakId(round)}' and kind = 'commented'`),
    headers: { 'If-Match': '"1"' },
  },
  'an operation that shows a secret': {
    path: () => '/keys',
    body: (round) => ({ name: `key-${round}`, scopes: ['agents:lookup'] }),
    effects: (url, round) => countRows(url, 'api_keys', `name = 'key-${round}'`),
  },
};

const breakIds = new Map<number, string>();
const breakId = (round: number): string => breakIds.get(round) ?? '';

describeOnEachDatabase('a killed request of the API', (harness) => {
  let millime: Millime | undefined;
  afterEach(() => millime?.close());

  test.each(Object.entries(KINDS))(
    '%s has one effect with its repeat',
    async (what, { path, body, effects, headers }) => {
      const installation = new Installation(harness.url, { clock: '2026-03-02T09:00:00.000Z' });
      millime = compose(loadConfig(installation.env), silentLogger);
      const rounds = Array.from({ length: BOUNDARIES_MAX + 1 }, (_, index) => index);
      await register(millime, ...rounds.map((round) => anAgent({ agentId: `a-${round}` })));
      await openBreaks(rounds.length);
      const key = await millime.identity.createKey({ name: 'salma', scopes: SCOPES, actor: OPERATOR, dryRun: false });
      const request = (round: number) => ({
        method: 'POST',
        path: `/api/v1${path(round)}`,
        headers: {
          Authorization: `Bearer ${key.text ?? ''}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': `round-${round}`,
          ...headers,
        },
        body: body(round) === undefined ? undefined : JSON.stringify(body(round)),
      });

      let boundary = 1;
      let doubled = 0;
      for (; boundary <= BOUNDARIES_MAX; boundary += STEP[harness.dialect]) {
        const first = await answerOf(installation, { killAt: boundary, call: request(boundary) });
        await changeRows(harness.url, 'update idempotency_keys set lease_until = 0 where status is null');
        const again = await answerOf(installation, { killAt: 0, call: request(boundary) });
        const codes = [undefined, 'answer_lost', 'secret_shown_once'];
        expect([boundary, again]).toEqual([boundary, expect.anything()]);
        expect(codes).toContain(again?.body['code']);
        if (first === undefined && again?.body['code'] === undefined) expect(again?.status).toBeLessThan(300);
        const had = await effects(harness.url, boundary);
        expect([boundary, had]).toEqual([boundary, 1]);
        doubled += had - 1;
        if (first !== undefined) break;
      }
      expect(boundary).toBeGreaterThan(4);
      expect(boundary).toBeLessThanOrEqual(BOUNDARIES_MAX);
      recordFault({
        ...{ fault: 'api', what: `kill -9 of a request of the API: ${what}`, database: harness.dialect },
        ...{ rounds: boundary, acknowledged: boundary, lost: 0, doubled, longestMs: 0 },
      });
    },
    LIMIT_MS,
  );

  async function openBreaks(count: number): Promise<void> {
    const rounds = Array.from({ length: count }, (_, index) => index);
    await harness.database.transact(async (session) => {
      const store = openBreakStore(session);
      const since = businessDate('2026-03-02');
      const subject = { itemIds: [], lineIds: [], facts: {} };
      await store.open(
        rounds.map((round) => ({
          ...{ fingerprint: `items:${round}`, breakClass: 'amount_differs' as const, since, subject },
          ...{ amount: millimes(1_000), direction: 'books_have_more' as const },
        })),
        0,
        'job:test',
      );
    });
    const rows = await selectRows(harness.url, 'select id, fingerprint from recon_breaks');
    for (const { id, fingerprint } of rows) {
      breakIds.set(Number(String(fingerprint).slice('items:'.length)), String(id));
    }
  }
});

type Answered = { readonly status: number; readonly body: Readonly<Record<string, unknown>> } | undefined;

/** Returns the answer of a process; undefined if it died before. */
function answerOf(installation: Installation, task: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [SCRIPT, JSON.stringify(task)], { env: installation.env }, (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL') return resolve(undefined);
      if (error !== null) return reject(new Error(`${error.message}\n${stderr}`));
      resolve(JSON.parse(stdout) as Answered);
    });
  });
}
