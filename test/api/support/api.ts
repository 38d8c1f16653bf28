import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type LongOperations, longOperations } from '../../../src/api';
import { createApp } from '../../../src/app';
import type { ReconBreak } from '../../../src/breaks';
import { compose, type Millime } from '../../../src/compose';
import { loadConfig } from '../../../src/config';
import { type Row, rowsOf } from '../../../src/db';
import { answerRequests, createHttpServer } from '../../../src/http';
import { silentLogger } from '../../../src/logging';
import type { RunningSimulator } from '../../../src/simulator';
import { aRunningSimulator } from '../../support/a-simulator';
import { describeOnEachDatabase, describeOnOneDatabase, type Harness, tracked } from '../../support/db';
import { aBearer } from '../../support/factories';
import { testRun } from '../../support/test-run';
import { AUDIENCE, CLAIMS, ISSUER, SECRET, signedToken } from '../../unit/service-tokens/signed-token';
import { type Answer, type Call, httpCall } from './http-call';

/** What the business clock says when a server starts: 10 o'clock on a Monday in Tunis. */
export const NOW = '2026-03-02T09:00:00.000Z';

/** So that people can ask for notifications. Nothing is sent, because no jobs run. */
const NOTIFYING = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  SMTP_FROM: 'millime@bank.example',
  NOTIFICATION_SECRET: 'c2Vydmlldi1jaXRyb24tZmVuZXRyZS1hYnJpY290',
} as const;

/** What the gateway may say on confirm; wrong types are said on purpose. */
export interface Said {
  readonly transactionId?: unknown;
  readonly agentId?: unknown;
  readonly amount?: unknown;
}

/** A server that listens on a port of this machine, and the gateway in front of it. */
export interface Api {
  readonly millime: Millime;
  /** What it reads from the environment: another server with it belongs to the same installation. */
  readonly environment: Readonly<Record<string, string>>;
  /** A good Authorization header. */
  readonly bearer: string;
  readonly port: number;
  /** With the good token unless the call has an Authorization header of its own. */
  call(call: Call): Promise<Answer>;
  /** `segment` is put into the path as it stands. */
  check(segment: string): Promise<Answer>;
  confirm(said: Said): Promise<Answer>;
  /** The code that a confirm is answered with; fails when the answer has another shape. */
  confirmCode(said: Said): Promise<string>;
  setClock(instant: string): void;
  /** The simulated gateway; fails in a suite that has none. */
  readonly gateway: RunningSimulator;
  close(): Promise<void>;
}

export interface ApiOptions {
  /** Replaces parts of what was composed, such as a room by one that fails. */
  readonly replace?: (millime: Millime) => Partial<Millime>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Starts a simulated gateway for the server. Its clock stands still until a test advances it. */
  readonly hasGateway?: boolean;
  /** Whether notifications can be sent. */
  readonly canNotify?: boolean;
  /** Replaces the long operations of the process. */
  readonly operations?: LongOperations;
}

/**
 * Starts a server on a database. Its tokens are checked against a key file of its own, and a key of the environment
 * whose token needs no database to be made.
 */
export async function startApi(
  databaseUrl: string,
  { replace, environment = {}, hasGateway = false, canNotify = true, operations = longOperations() }: ApiOptions = {},
): Promise<Api> {
  const gateway = hasGateway ? await aRunningSimulator({ startAt: NOW }) : undefined;
  const folder = mkdtempSync(join(testRun.folder, 'api-'));
  const clockFile = join(folder, 'clock');
  const setClock = (instant: string): void => writeFileSync(clockFile, instant);
  setClock(NOW);
  const whole = {
    DATABASE_URL: databaseUrl,
    SERVICE_JWT_KEYS_FILE: join(folder, 'keys.json'),
    SERVICE_JWT_ISSUER: ISSUER,
    SERVICE_JWT_AUDIENCE: AUDIENCE,
    CLOCK_FILE: clockFile,
    ...(canNotify ? NOTIFYING : {}),
    ...(gateway === undefined ? {} : environmentOf(gateway)),
    ...environment,
  };
  const config = loadConfig(whole);
  const composed = compose(config, silentLogger, { passwordCost: 4 });
  const millime: Millime = { ...composed, ...replace?.(composed) };
  const app = createApp(millime, operations);
  const server = createHttpServer({ ...millime, app });
  answerRequests(server, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bearer =
    config.serviceTokens.secret === undefined
      ? await aBearer(millime)
      : `Bearer ${signedToken({ alg: 'HS256' }, CLAIMS, { key: config.serviceTokens.secret })}`;

  const call = ({ headers, ...rest }: Call): Promise<Answer> =>
    tracked(httpCall(port, { ...rest, headers: { Authorization: bearer, ...headers } }));
  const confirm = (said: Said): Promise<Answer> =>
    call({
      method: 'POST',
      path: '/service/confirm',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(said),
    });
  return {
    millime,
    environment: whole,
    bearer,
    port,
    call,
    check: (segment) => call({ path: `/service/check/${segment}` }),
    confirm,
    async confirmCode(said) {
      const { status, text } = await confirm(said);
      const code = /^\{"code":"([0-3])"\}$/.exec(text)?.[1];
      if (status !== 200 || code === undefined) throw new Error(`not an answer of the interface: ${status} ${text}`);
      return code;
    },
    setClock,
    get gateway() {
      if (gateway === undefined) throw new Error('the suite starts its server without a gateway');
      return gateway;
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await composed.close();
      await gateway?.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function environmentOf({ baseUrl }: RunningSimulator): Readonly<Record<string, string>> {
  return {
    GATEWAY_BASE_URL: baseUrl,
    GATEWAY_PUBLIC_KEY: 'pk_simulator',
    GATEWAY_PRIVATE_KEY: 'sk_simulator',
    GATEWAY_API_KEY: 'ak_simulator',
    GATEWAY_MERCHANT_ID: '12',
    CHECKOUT_SUCCESS_URL: 'https://shop.example/paid',
    CHECKOUT_FAIL_URL: 'https://shop.example/not-paid',
  };
}

/** For servers whose database cannot book a token: the good token is signed with this key of the environment. */
export const SECRET_OF_ENVIRONMENT = { SERVICE_JWT_SECRET: SECRET };

export async function expectBooksRight({ reporting }: Millime): Promise<void> {
  expect(await reporting.verifyBooks()).toEqual([]);
}

type DefineApi = (current: { readonly api: Api; readonly harness: Harness }) => void;

/** Runs the suite on both databases, against one server each. After each test the books must be right. */
export function describeApi(name: string, define: DefineApi, options: ApiOptions = {}): void {
  describeOnEachDatabase(name, (harness) => defineApi(harness, define, options));
}

/** For suites about connections and bytes: what becomes of them is decided before any database is asked. */
export function describeApiOnOneDatabase(name: string, define: DefineApi, options: ApiOptions = {}): void {
  describeOnOneDatabase(name, (harness) => defineApi(harness, define, options));
}

function defineApi(harness: Harness, define: DefineApi, options: ApiOptions): void {
  let api: Api | undefined;
  const running = (): Api => {
    if (api === undefined) throw new Error('the server runs from the first beforeAll on, not earlier');
    return api;
  };
  beforeAll(async () => {
    api = await startApi(harness.url, options);
  });
  afterEach(() => expectBooksRight(running().millime));
  afterAll(() => api?.close());
  define({
    harness,
    get api() {
      return running();
    },
  });
}

/** All rows of a table, in the order of a column, with the given columns. */
export async function rows(millime: Millime, table: string, columns: readonly string[]): Promise<Row[]> {
  return millime.database.read((session) =>
    rowsOf(
      session(table)
        .select(...columns)
        .orderBy([...columns]),
    ),
  );
}

export async function count(millime: Millime, table: string): Promise<number> {
  const [row] = await millime.database.read((session) => rowsOf(session(table).count('* as n')));
  return Number(row?.['n']);
}

/** Every break, whatever became of it: its class, status, day, amount and rows. */
export async function breaksOf(
  millime: Millime,
): Promise<Pick<ReconBreak, 'breakClass' | 'status' | 'since' | 'amount' | 'subject' | 'resolution'>[]> {
  const breaks = await millime.breaks.list({ includeResolved: true });
  return breaks.map(({ breakClass, status, since, amount, subject, resolution }) => ({
    breakClass,
    status,
    since,
    amount,
    subject,
    resolution,
  }));
}
