// Goal: kill -9 between any two steps of receiving, claiming, verifying and posting loses and duplicates nothing.
// Method: a process does one operation and is killed at the first boundary of a transaction, then at a later one, and
// so on until it ends; after each death the test does what a running installation does, and compares the books with the
// truth of the simulated gateway.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Millime } from '../../src/compose';
import { signWebhook } from '../../src/gateway';
import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS, newId } from '../../src/kernel';
import type { Payment } from '../../src/payments';
import { describeOnEachDialect, freshDatabase, isInFull } from '../support/db';
import { recordFault, sized } from '../support/faults';
import { chargeTelling, checkoutTelling, clearingTelling, differences } from './month/month-audit';
import { ACT, GatewayInstallation } from './support/gateway-installation';
import { changeRows, selectRows } from './support/tables';

const SCRIPT = join(__dirname, 'support', 'crash-process.cjs');
const ROOT = join(__dirname, '..', '..');
const LIMIT_MS = 600_000;
const SETTLING_STEP_MS = sized({ short: 3, full: 1 }) * HOUR_MS;
/** Longer than the longest cadence. */
const LAST_LOOK_MS = 27 * HOUR_MS;
/** Far more than any flow has: a flow that never ends is a fault of its own. */
const BOUNDARIES_MAX = 200;
/**
 * Between transactions nothing of a process lies in its database, whichever that is: every boundary is tried on SQLite,
 * and each fifth one, before and after transactions by turns, on MariaDB. Fault runs and EVERY_DATABASE=1 try them all.
 */
const STEP = { sqlite: 1, mariadb: isInFull() ? 1 : 5 };

describeOnEachDialect('a process that is killed between two steps', (dialect) => {
  let world: GatewayInstallation;
  let millime: Millime;
  const lock = { flows: 0 };

  beforeAll(async () => {
    const { url } = await freshDatabase(dialect);
    world = await GatewayInstallation.start(url);
    ({ millime } = world);
  });

  afterAll(() => world.close());

  const created = (kind: 'standard' | 'preauthorization'): Promise<Payment> => world.created(kind, 5_000 + lock.flows);

  /** What a running installation does in the next minutes: the gateway repeats, leases end, jobs run. */
  async function recover(again: (() => Promise<unknown>) | undefined): Promise<void> {
    await world.pass(6 * MINUTE_MS);
    await changeRows(world.installation.url, 'update webhook_inbox set lease_until = 0');
    await again?.();
    for (let round = 0; round < 3; round += 1) {
      await world.work();
      await world.pass(6 * MINUTE_MS);
    }
  }

  /** Lets a day pass, and then another one in which the gateway stands still: so whatever is known is the end of it. */
  async function settled(check: () => Promise<void>): Promise<void> {
    for (let at = 0; at < DAY_MS; at += SETTLING_STEP_MS) {
      await world.pass(SETTLING_STEP_MS);
      await world.work();
    }
    for (let at = SETTLING_STEP_MS; at <= LAST_LOOK_MS; at += SETTLING_STEP_MS) {
      world.setClock(world.now + SETTLING_STEP_MS);
      await world.work();
    }
    await check();
    await world.pass(0);
  }

  /** What the gateway owes is the truth's to the millime, under whatever id a refund became known. */
  async function audit(): Promise<void> {
    expect(differences(await clearingTelling(world.installation.url, world.simulator.simulator.simulation))).toEqual(
      [],
    );
  }

  async function killEverywhere(flow: string, prepare: () => Promise<Prepared>): Promise<void> {
    let boundary = 1;
    for (; boundary <= BOUNDARIES_MAX; boundary += STEP[dialect]) {
      lock.flows += 1;
      const { task, again, check } = await prepare();
      const ended = await crash({ flow, killAt: boundary, ...task }, world.installation.env);
      await recover(again?.(ended));
      await audit();
      await check();
      if (ended.done) break;
    }
    await settled(async () => {
      const { simulation } = world.simulator.simulator;
      const { url } = world.installation;
      await audit();
      expect(differences(await checkoutTelling(url, simulation)).filter((line) => !isOrphan(line))).toEqual([]);
      expect(differences(await chargeTelling(url, simulation))).toEqual([]);
      expect(await millime.reporting.verifyBooks()).toEqual([]);
    });
    // A flow without boundaries would have tested nothing.
    expect(boundary).toBeGreaterThan(2);
    recordFault({
      fault: 'kill -9',
      what: `at every step of ${flow}`,
      database: dialect,
      rounds: boundary,
      acknowledged: boundary,
      lost: 0,
      doubled: 0,
      longestMs: 0,
    });
  }

  test(
    'receives, verifies and posts a webhook once',
    () =>
      killEverywhere('webhook', async () => {
        const payment = await created('standard');
        await world.pass(MINUTE_MS);
        await world.pay(payment.gatewayId, 'wallet');
        const incoming = signed(payment, world.now);
        return {
          task: { incoming },
          // The gateway repeats what it got no 200 for, with a new timestamp.
          again: ({ acknowledged }) =>
            acknowledged
              ? undefined
              : async () => {
                  const { body, ...rest } = signed(payment, world.now);
                  await millime.webhooks.receive({ ...rest, family: 'payment', rawBody: Buffer.from(body, 'utf8') });
                },
          async check() {
            const rows = await selectRows(
              world.installation.url,
              `select state from webhook_inbox where payment_id = '${payment.gatewayId ?? ''}'`,
            );
            expect(rows).toEqual([{ state: 'done' }]);
          },
        };
      }),
    LIMIT_MS,
  );

  test(
    'makes one payment for a reference',
    () =>
      killEverywhere('create', async () => {
        const reference = `crash-${newId()}`;
        const request = { kind: 'standard' as const, amountMillimes: 7_000, reference };
        return {
          task: { request },
          async check() {
            // Whoever asks again gets the one session, or is told that nobody knows yet; never a second one at once.
            const outcome = await millime.payments.create(request, ACT);
            expect(['created', 'existing', 'unknown']).toContain(outcome.kind);
            const live = await millime.payments.list({ reference, limit: 10 });
            expect(live.filter(({ isLive }) => isLive)).toHaveLength(1);
          },
        };
      }),
    LIMIT_MS,
  );

  test(
    'refunds once',
    () =>
      killEverywhere('refund', async () => {
        const payment = await created('standard');
        await world.pass(MINUTE_MS);
        await world.pay(payment.gatewayId, 'wallet');
        await millime.payments.checkStatus(payment.trackingId);
        await world.pass(MINUTE_MS);
        return {
          task: { trackingId: payment.trackingId },
          async check() {
            const { operations } = await millime.payments.show(payment.trackingId);
            expect(operations.filter(({ state }) => state !== 'refused').length).toBeLessThanOrEqual(1);
            expect(operations.filter(({ state }) => state === 'sending')).toEqual([]);
          },
        };
      }),
    LIMIT_MS,
  );

  test(
    'captures once',
    () =>
      killEverywhere('capture', async () => {
        const payment = await created('preauthorization');
        await world.pass(MINUTE_MS);
        await world.pay(payment.gatewayId, 'card');
        await millime.payments.checkStatus(payment.trackingId);
        await world.pass(MINUTE_MS);
        return {
          task: { trackingId: payment.trackingId },
          async check() {
            const { operations } = await millime.payments.show(payment.trackingId);
            expect(operations.filter(({ state }) => state === 'sending')).toEqual([]);
          },
        };
      }),
    LIMIT_MS,
  );

  test(
    'posts a charge of a subscription once',
    () =>
      killEverywhere('subscription', async () => {
        const outcome = await millime.subscriptions.create(
          { amountMillimes: 9_000, interval: 'month', name: 'Plan' },
          ACT,
        );
        if (outcome.kind !== 'created') throw new Error(`a subscription was ${outcome.kind}`);
        const { subscription } = outcome;
        await world.pass(MINUTE_MS);
        await world.pay(subscription.firstPaymentId, 'wallet');
        return {
          task: { trackingId: subscription.trackingId },
          async check() {
            const { charges } = await millime.subscriptions.show(subscription.trackingId);
            expect(charges.map(({ itemId }) => itemId)).toEqual([`payment:${subscription.firstPaymentId ?? ''}`]);
          },
        };
      }),
    LIMIT_MS,
  );
});

interface Ended {
  /** It got to its end: there is no later boundary. */
  readonly done: boolean;
  readonly acknowledged: boolean;
}

interface Prepared {
  readonly task: Readonly<Record<string, unknown>>;
  readonly again?: (ended: Ended) => (() => Promise<unknown>) | undefined;
  readonly check: () => Promise<void>;
}

/** A session that the gateway made and whose answer nobody read: it costs nothing while nobody pays it. */
function isOrphan(line: string): boolean {
  return line.includes('ours none') && /"status":"(PENDING|EXPIRED)"/.test(line);
}

function signed(
  payment: Payment,
  at: number,
): { method: string; target: string; headers: Record<string, string>; body: string; family: 'payment' } {
  const body = JSON.stringify({
    event: 'payment.succeeded',
    event_id: `evt_${payment.trackingId}`,
    created: formatInstant(at - (at % MINUTE_MS)),
    payment_id: payment.gatewayId,
    developer_tracking_id: payment.trackingId,
    amount: payment.amount,
    currency: 'TND',
    payment_method: 'service',
  });
  const signature = signWebhook({ key: 'sk_simulator', timestampSecs: Math.floor(at / 1_000), content: body });
  return {
    method: 'POST',
    target: '/webhooks/payment',
    headers: {
      'content-type': 'application/json',
      'x-service-event': 'payment.succeeded',
      'x-service-signature': signature,
    },
    body,
    family: 'payment',
  };
}

async function crash(task: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(task)], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (exitCode, exitSignal) => resolve([exitCode, exitSignal]));
  });
  const done = output.endsWith('done\n');
  if (signal !== 'SIGKILL' && !(code === 0 && done)) {
    throw new Error(`it ended with ${code ?? ''}${signal ?? ''}: ${errors}`);
  }
  return { done, acknowledged: output.includes('acknowledged') };
}
