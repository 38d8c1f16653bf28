// Goal: kill -9 between any two steps of a request with an Idempotency-Key, and a repeat of it, have one effect together,
// in the database and at the gateway.
// Method: a process answers one request of each kind and kills itself when each is at its first boundary of a transaction;
// the next process at the second one, and so on until all are answered. After each death another process gets the same
// requests, once the leases have ended. At the end the jobs run, and the books are compared with the simulated gateway.
import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createApp } from '../../src/app';
import { answerRequests, createHttpServer } from '../../src/http';
import { OPERATOR, SCOPES } from '../../src/identity';
import { MINUTE_MS } from '../../src/kernel';
import { describeOnEachDialect, freshDatabase, isInFull } from '../support/db';
import { recordFault } from '../support/faults';
import { clearingTelling, differences } from './month/month-audit';
import { GatewayInstallation } from './support/gateway-installation';
import { KEYED_REQUESTS, type KeyedRequest } from './support/keyed-requests';
import { changeRows, selectRows } from './support/tables';

const SCRIPT = join(__dirname, 'support', 'api-crash-process.cjs');
const LIMIT_MS = 600_000;
/** More than any of these requests has: one that never ends is a fault of its own. */
const BOUNDARIES_MAX = 40;
/** The checks of unknown outcomes wait for the budget of status checks. */
const RECOVERY_ROUNDS = 8;

/** Nothing of a process lies in its database between transactions, whichever that is. */
const STEP = { sqlite: 1, mariadb: isInFull() ? 1 : 3 };
const LIMITS = { API_REQUESTS_PER_MINUTE: '9999999', API_WRITES_PER_MINUTE: '9999999' };

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request with what became of it. */
interface Round {
  readonly kind: string;
  readonly boundary: number;
  readonly request: KeyedRequest;
  /** Undefined: the process died before. */
  readonly first: Answered | undefined;
  readonly again: Answered;
}

describeOnEachDialect('killed requests of the API', (dialect) => {
  let world: GatewayInstallation | undefined;
  afterEach(() => world?.close());

  test(
    'have one effect with their repeats',
    async () => {
      const { url } = await freshDatabase(dialect);
      world = await GatewayInstallation.start(url, LIMITS);
      const rounds = await killEverywhere(world, STEP[dialect]);
      for (const round of rounds) expectOneAnswer(round);
      for (let round = 0; round < RECOVERY_ROUNDS; round += 1) {
        await world.pass(6 * MINUTE_MS);
        await world.work();
      }
      for (const kind of Object.keys(KEYED_REQUESTS)) {
        const these = rounds.filter((each) => each.kind === kind);
        const effects = await Promise.all(these.map(({ request }) => request.stored()));
        const sent = these.map(({ request }) => request.sent?.() ?? 1);
        const died = these.filter(({ first }) => first === undefined);
        recordFault({
          ...{ fault: 'api', what: `kill -9 of a request of the API: ${kind}`, database: dialect, longestMs: 0 },
          ...{ rounds: died.length, acknowledged: these.length, lost: effects.filter((count) => count < 1).length },
          doubled: [...effects, ...sent].filter((count) => count > 1).length,
        });
        expect([kind, effects]).toEqual([kind, these.map(() => 1)]);
        expect([kind, sent.filter((count) => count > 1)]).toEqual([kind, []]);
        expect(died.length).toBeGreaterThan(4 / STEP[dialect]);
      }
      for (const round of rounds) await expectKnown(world, round);
      if (STEP[dialect] === 1) expectBothSidesOfTheCall(rounds);
      const { simulation } = world.simulator.simulator;
      expect(differences(await clearingTelling(url, simulation))).toEqual([]);
      expect(await world.millime.reporting.verifyBooks()).toEqual([]);
    },
    LIMIT_MS,
  );
});

/** Kills a process at each boundary, and repeats its requests in this process. */
async function killEverywhere(world: GatewayInstallation, step: number): Promise<Round[]> {
  const { installation, millime } = world;
  const key = await millime.identity.createKey({ name: 'salma', scopes: SCOPES, actor: OPERATOR, dryRun: false });
  const app = createApp(millime);
  const server = createHttpServer({ ...millime, app });
  answerRequests(server, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rounds: Round[] = [];
  try {
    for (let boundary = 1; boundary <= BOUNDARIES_MAX; boundary += step) {
      const requests = new Map<string, KeyedRequest>();
      for (const [kind, prepare] of Object.entries(KEYED_REQUESTS)) requests.set(kind, await prepare(world, boundary));
      const calls = Object.fromEntries(
        [...requests].map(([kind, request]) => [kind, callOf(request, key.text ?? '', `${kind} ${boundary}`)]),
      );
      const answers = await answersOf(installation.env, { killAt: boundary, calls });
      await changeRows(installation.url, 'update idempotency_keys set lease_until = 0 where status is null');
      for (const [kind, { path, ...init }] of Object.entries(calls)) {
        const again = await fetch(`${base}${path}`, init);
        const { status } = again;
        const body = (await again.json()) as Answered['body'];
        const request = requests.get(kind) as KeyedRequest;
        rounds.push({ kind, boundary, request, first: answers.get(kind), again: { status, body } });
      }
      if (answers.size === requests.size) return rounds;
    }
    throw new Error(`requests with more than ${BOUNDARIES_MAX} boundaries`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

interface Call {
  readonly method: 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function callOf({ path, body, headers }: KeyedRequest, keyText: string, idempotencyKey: string): Call {
  return {
    method: 'POST',
    path: `/api/v1${path}`,
    headers: {
      Authorization: `Bearer ${keyText}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey.replaceAll(' ', '-'),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Returns the answers that a process gave before it died, by the kind of their requests. */
function answersOf(env: Readonly<Record<string, string>>, task: object): Promise<Map<string, Answered>> {
  return new Promise((resolve, reject) => {
    const limits = { env, timeout: MINUTE_MS, killSignal: 'SIGABRT' as const };
    execFile(process.execPath, [SCRIPT, JSON.stringify(task)], limits, (error, stdout, stderr) => {
      if (error !== null && error.signal !== 'SIGKILL') return reject(new Error(`${error.message}\n${stderr}`));
      const lines = stdout.split('\n').filter((line) => line !== '');
      const answers = lines.map((line) => JSON.parse(line) as Answered & { readonly name: string });
      resolve(new Map(answers.map(({ name, ...answer }) => [name, answer])));
    });
  });
}

function expectOneAnswer({ kind, boundary, first, again }: Round): void {
  const what = `${kind} at ${boundary}`;
  const { code } = again.body;
  if (code !== undefined) {
    expect([what, code]).toEqual([what, expect.stringMatching(/^(answer_lost|secret_shown_once)$/)]);
  } else expect([what, again.status < 300]).toEqual([what, true]);
  if (first === undefined) return;
  expect([what, first.status < 300]).toEqual([what, true]);
  if (code !== 'secret_shown_once') expect([what, again]).toEqual([what, first]);
}

/** After the jobs, an operation that the gateway did is known as done, and another one as unknown. */
async function expectKnown(world: GatewayInstallation, { kind, boundary, request, again }: Round): Promise<void> {
  const { operationOf, sent } = request;
  if (sent !== undefined && again.status < 300) expect([kind, boundary, sent()]).toEqual([kind, boundary, 1]);
  if (operationOf === undefined) return;
  const sql = `select state from payment_operations where tracking_id = '${operationOf}'`;
  const state = sent?.() === 1 ? 'done' : 'unknown';
  expect([kind, boundary, await selectRows(world.installation.url, sql)]).toEqual([kind, boundary, [{ state }]]);
}

/** Fails unless requests to the gateway were killed before their call, and others between its answer and the storing of it. */
function expectBothSidesOfTheCall(rounds: readonly Round[]): void {
  for (const kind of ['a payment on a terminal', 'a payment from a wallet', 'a capture', 'a cancel', 'a refund']) {
    const lost = rounds.filter((each) => each.kind === kind && each.again.body['code'] === 'answer_lost');
    expect([kind, new Set(lost.map(({ request }) => request.sent?.()))]).toEqual([kind, new Set([0, 1])]);
  }
}
