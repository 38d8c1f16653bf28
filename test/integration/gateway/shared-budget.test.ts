// Goal: the limits of the budget hold over all processes that share a database.
// Method: budgets on two connections; then real processes, each with many concurrent calls, against a server that
// counts requests and answers on command. Time is a fixed clock, or a clock file that stands still.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/db';
import { GatewayError } from '../../../src/gateway';
import { type CallBudget, createCallBudget } from '../../../src/gateway/testing';
import { createSharedBudgetStore } from '../../../src/gateway-budget';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { testRun } from '../../support/test-run';
import type { BudgetProcessResult, BudgetProcessTask } from './budget-process';

const ROOT = join(__dirname, '..', '..', '..');
const SCRIPT = join(__dirname, 'budget-process.ts');
const START = '2026-03-02T09:00:00.000+01:00';
/** Past the lease of a call, and past its spacing. */
const LATER = '2026-03-02T09:05:00.000+01:00';
const LIMIT_MS = 120_000;
/** Longer than any test: nothing here is decided by a deadline. */
const TIMEOUT_MS = 100_000;

/** Counts the requests and holds their answers back until it is told to give them. */
class CountingGateway {
  readonly paths: string[] = [];
  readonly #server: Server;
  #release: () => void = () => undefined;
  #arrive: () => void = () => undefined;
  readonly arrived = new Promise<void>((resolve) => (this.#arrive = resolve));
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve));

  constructor() {
    this.#server = createServer((request, response) => {
      this.paths.push(request.url ?? '');
      this.#arrive();
      void this.#released.then(() => response.end(JSON.stringify({ status: 'SUCCESS', path: request.url })));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  answer(): void {
    this.#release();
  }

  async stop(): Promise<void> {
    this.#release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** One process of ours, and the lines that it prints. */
class BudgetProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  readonly #lines: AsyncIterator<string>;
  #errors = '';

  constructor(task: BudgetProcessTask) {
    this.child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, JSON.stringify(task)], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = this.child;
    if (stdout === null || stderr === null) throw new Error('the process has no pipes');
    stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString('utf8')));
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    this.exited = new Promise((resolve) => this.child.once('exit', () => resolve()));
  }

  async line(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done === true) throw new Error(`the process ended early: ${this.#errors}`);
    return next.value;
  }

  go(): void {
    this.child.stdin?.write('go\n');
  }

  async results(): Promise<BudgetProcessResult[]> {
    return JSON.parse(await this.line()) as BudgetProcessResult[];
  }
}

describeOnEachDatabase('the shared budget', (harness) => {
  const clock = fixedClock(START);
  const clockFile = join(testRun.folder, `budget-clock-${process.pid}`);
  const processes: BudgetProcess[] = [];
  let second: Database;
  let gateway: CountingGateway;
  let gatewayUrl = '';

  beforeAll(() => {
    second = openDatabase(parsedUrl(harness.url), silentLogger);
  });
  afterAll(() => second.close());
  beforeEach(async () => {
    clock.set(START);
    writeFileSync(clockFile, START);
    gateway = new CountingGateway();
    gatewayUrl = await gateway.start();
  });
  afterEach(async () => {
    for (const { child, exited } of processes.splice(0)) {
      child.kill('SIGKILL');
      await exited;
    }
    await gateway.stop();
  });

  const budgetOn = (database: Database, limits: { verifiesPerMinute?: number } = {}): CallBudget =>
    createCallBudget({ store: createSharedBudgetStore(database, clock), clock, logger: silentLogger, ...limits });

  /** Processes that are ready to begin. */
  async function start(tasks: readonly Partial<BudgetProcessTask>[]): Promise<BudgetProcess[]> {
    const started = tasks.map((task) => {
      const common = { databaseUrl: harness.url, gatewayUrl, clockFile, paymentIds: [] };
      return new BudgetProcess({ ...common, verifiesPerMinute: 30, timeoutMs: TIMEOUT_MS, ...task });
    });
    processes.push(...started);
    for (const each of started) expect(await each.line()).toBe('ready');
    return started;
  }

  test('shares one connection’s answer with the other, with one request for both', async () => {
    let asked = 0;
    const ask = async (): Promise<unknown> => ({ count: (asked += 1) });
    const budgets = [budgetOn(harness.database), budgetOn(second)];
    const calls = budgets.flatMap((budget) =>
      Array.from({ length: 50 }, () => budget.verify('p', ask, { timeoutMs: TIMEOUT_MS })),
    );
    for (const { body } of await Promise.all(calls)) expect(body).toEqual({ count: 1 });
    expect(asked).toBe(1);
    clock.advance(30_000);
    for (const budget of budgets) {
      expect(await budget.verify('p', ask, { timeoutMs: TIMEOUT_MS })).toMatchObject({ body: { count: 2 } });
    }
  });

  test('returns no answer from before a change on any connection', async () => {
    const ask = async (): Promise<unknown> => 'before';
    const limits = { timeoutMs: TIMEOUT_MS };
    const [budget, other] = [budgetOn(harness.database), budgetOn(second)];
    await budget.verify('p', ask, limits);
    expect(await other.verify('p', ask, limits)).toMatchObject({ reused: true });
    await other.beginChange('p', { operation: 'payments.refund', ...limits });
    await other.endChange('p', 'payments.refund');
    for (const each of [budget, other]) {
      await expect(each.verify('p', ask, limits)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 30_000 });
    }
    clock.advance(30_000);
    expect(await budget.verify('p', async () => 'after', limits)).toMatchObject({ body: 'after', reused: false });
  });

  test('stops every connection once the gateway refused one of them', async () => {
    const refuse = (): Promise<unknown> =>
      Promise.reject(new GatewayError('permission', 'no', { operation: 'payments.verify', httpStatus: 403 }));
    const limits = { timeoutMs: TIMEOUT_MS };
    await expect(budgetOn(second).verify('p1', refuse, limits)).rejects.toMatchObject({ code: 'permission' });
    let asked = 0;
    const ask = async (): Promise<unknown> => (asked += 1);
    await expect(budgetOn(harness.database).verify('p2', ask, limits)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 900_000,
    });
    expect(asked).toBe(0);
  });

  test('allows sixty creations a minute over two connections', async () => {
    const budgets = [budgetOn(harness.database), budgetOn(second)];
    const calls = budgets.flatMap((budget) =>
      Array.from({ length: 40 }, () => budget.takeCreation('subscriptions.create')),
    );
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
      }
    }
  });

  test(
    'sends one request for three processes with fifty callers each',
    async () => {
      const paymentIds = Array.from({ length: 50 }, () => 'p');
      const started = await start([{ paymentIds }, { paymentIds }, { paymentIds }]);
      for (const each of started) each.go();
      for (const each of started) expect(await each.line()).toBe('calling');
      await gateway.arrived;
      gateway.answer();
      const results = await Promise.all(started.map((each) => each.results()));
      expect(gateway.paths).toEqual(['/p']);
      for (const result of results.flat()) expect(result).toMatchObject({ body: { status: 'SUCCESS', path: '/p' } });
      // The callers of one process share their request; those of the others are told that the answer was there.
      const asking = results.filter((ofOne) => ofOne.every((result) => 'reused' in result && !result.reused));
      expect(asking).toHaveLength(1);
    },
    LIMIT_MS,
  );

  test(
    'limits the payments that three processes verify in a minute',
    async () => {
      gateway.answer();
      const started = await start(
        [1, 2, 3].map((n) => ({
          verifiesPerMinute: 7,
          paymentIds: Array.from({ length: 10 }, (_, each) => `p${n}-${each}`),
        })),
      );
      for (const each of started) each.go();
      for (const each of started) expect(await each.line()).toBe('calling');
      const results = (await Promise.all(started.map((each) => each.results()))).flat();
      expect(gateway.paths).toHaveLength(7);
      expect(results.filter((result) => 'body' in result)).toHaveLength(7);
      expect(results.filter((result) => 'code' in result && result.code === 'rate_limited')).toHaveLength(23);
    },
    LIMIT_MS,
  );

  test(
    'passes a payment to another process after the lease of a killed one',
    async () => {
      const [dying, heir] = await start([{ paymentIds: ['p'] }, { paymentIds: ['p'] }]);
      if (dying === undefined || heir === undefined) throw new Error('two processes were started');
      dying.go();
      await gateway.arrived;
      dying.child.kill('SIGKILL');
      await dying.exited;
      heir.go();
      expect(await heir.line()).toBe('calling');
      expect(gateway.paths).toEqual(['/p']);
      gateway.answer();
      writeFileSync(clockFile, LATER);
      expect(await heir.results()).toMatchObject([{ body: { status: 'SUCCESS' }, reused: false }]);
      expect(gateway.paths).toEqual(['/p', '/p']);
    },
    LIMIT_MS,
  );
});
