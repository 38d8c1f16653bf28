// Goal: a month of payments over every channel, subscriptions and webhooks with every fault ends with the true state
// and the true books, to the millime.
// Method: the simulated gateway stores the truth; Millime runs as separate processes on a virtual clock, and sees of
// the gateway only what an integrator sees. `npm test` has a short month, `npm run test:faults` the whole one.
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { compose } from '../../src/compose';
import { loadConfig } from '../../src/config';
import { DAY_MS, formatInstant, MINUTE_MS } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import { FAULT_SEED, MONTH_SIZE, recordFault } from '../support/faults';
import { freePort } from '../support/free-port';
import { spawnCli } from '../support/server-process';
import {
  chargeTelling,
  checkoutTelling,
  clearingTelling,
  differences,
  itemTelling,
  lostWebhooks,
  posTelling,
  qrTelling,
  subscriptionTelling,
  verifyRates,
} from './month/month-audit';
import { driveMonth, MERCHANT_ID, type Month, startOf } from './month/month-drive';
import { MONTH_AGENTS, planMonth } from './month/month-plan';
import { Relay } from './month/relay';
import { watchGateway } from './month/watched-gateway';
import { Installation } from './support/installation';
import { selectRows } from './support/tables';
import { until } from './support/until';

const LIMIT_MS = 3 * 3_600_000;
const FIRST_DAY = '2026-03-02';
const EACH_PPM = 30_000;
const JOB_PROCESSES = 2;
/** Far above what a slow machine needs to answer a webhook. */
const ANSWER_LIMIT_MS = 60_000;
const VERIFIES_PER_MINUTE = 30;
const VERIFY_SPACING_MS = 30_000;

const EVERY_FAULT = {
  lostPpm: EACH_PPM,
  doubledPpm: EACH_PPM,
  reorderedPpm: EACH_PPM,
  latePpm: EACH_PPM,
  earlyPpm: EACH_PPM,
  wrongKeyPpm: EACH_PPM,
  previousKeyPpm: EACH_PPM,
  lowerCaseSuccessPpm: EACH_PPM,
  oldTimestampPpm: EACH_PPM,
  futureTimestampPpm: EACH_PPM,
  tamperedPpm: EACH_PPM,
  unknownEventPpm: EACH_PPM,
  unsignedPpm: EACH_PPM,
  lateMinutes: 26 * 60,
};

/** 1.5 % and 50 millimes on every charge of a subscription, and TVA on that. */
const FEES = [
  {
    channel: 'subscription',
    rate_ppm: 15_000,
    fixed_millimes: 50,
    tva_ppm: 190_000,
    rounding: 'half_up',
    basis: 'item',
  },
];

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

describeOnEachDialect('a simulated month', (dialect) => {
  test(
    'ends with the true payment states and a correct ledger',
    async () => {
      const startedAt = performance.now();
      const month = await beginMonth(dialect);
      const { url } = month.installation;
      const { simulation } = month.gateway.running.simulator;
      await driveMonth(month);

      const rates = verifyRates(month.gateway.verifies);
      const tellings = {
        payments: await checkoutTelling(url, simulation),
        pos: await posTelling(url, simulation),
        qr: await qrTelling(url, simulation),
        subscriptions: await subscriptionTelling(url, simulation),
        charges: await chargeTelling(url, simulation),
        items: await itemTelling(url, simulation),
        clearing: await clearingTelling(url, simulation),
      };
      const lost = await lostWebhooks(url, simulation);
      const open = await selectRows(url, `select state, count(*) as number from webhook_inbox group by state`);
      const [times] = await selectRows(url, `select count(*) as kept, sum(times) as came from webhook_inbox`);
      const breaks = await selectRows(url, `select class, count(*) as number from recon_breaks group by class`);
      report(dialect, {
        ...Object.fromEntries(Object.entries(tellings).map(([name, { truth }]) => [name, truth.size])),
        verifies: month.gateway.verifies.length,
        ...rates,
        refusals: month.gateway.refusals(),
        webhooks: Object.keys(simulation.world.webhooks.deliveries).length,
        inbox: `${String(times?.['kept'])} kept of ${String(times?.['came'])} taken, ${JSON.stringify(open)}`,
        breaks: JSON.stringify(breaks),
        seconds: Math.round((performance.now() - startedAt) / 1_000),
      });
      const wrong = Object.entries(tellings).flatMap(([name, telling]) =>
        differences(telling).map((line) => `${name} ${line}`),
      );
      recordFault({
        fault: 'month',
        what: `${MONTH_SIZE.payments} payments, ${MONTH_SIZE.subscriptions} subscriptions, every webhook fault, an outage`,
        database: dialect,
        rounds: MONTH_SIZE.days,
        acknowledged: tellings.items.truth.size,
        lost: wrong.length + lost.length,
        doubled: 0,
        longestMs: 0,
      });

      expect(wrong).toEqual([]);
      expect(lost).toEqual([]);
      expect(await month.installation.brokenInvariants()).toEqual([]);
      expect(month.gateway.refusals()).toBe(0);
      expect(rates.perMinute).toBeLessThanOrEqual(VERIFIES_PER_MINUTE);
      expect(rates.spacingMs).toBeGreaterThanOrEqual(VERIFY_SPACING_MS);
      expect(open.find(({ state }) => state === 'received')).toBeUndefined();
      // The month was one: everything that was to happen in it happened.
      expect(tellings.payments.truth.size).toBeGreaterThan(MONTH_SIZE.payments / 2);
      expect(tellings.subscriptions.truth.size).toBe(MONTH_SIZE.subscriptions);
      expect(tellings.items.truth.size).toBeGreaterThan(MONTH_SIZE.payments / 2);
    },
    LIMIT_MS,
  );
});

async function beginMonth(dialect: 'sqlite' | 'mariadb'): Promise<Month> {
  const startAt = startOf(FIRST_DAY);
  const month = { now: startAt };
  const gateway = await watchGateway({
    seed: FAULT_SEED,
    startAt: formatInstant(startAt),
    settings: {
      payer: { mode: 'auto', afterSecs: 90 },
      subscriptions: { failurePpm: 100_000 },
      webhookFaults: EVERY_FAULT,
      webhooks: { timeoutMs: ANSWER_LIMIT_MS },
      payouts: { fees: FEES },
    },
    now: () => month.now,
  });
  endings.push(() => gateway.running.close());
  const relay = await Relay.to(gateway.running.baseUrl);
  endings.push(() => relay.cut());
  const installation = await anInstallation(dialect, formatInstant(startAt - DAY_MS), relay);
  await startProcesses(dialect, installation);
  await firstWindow(installation, startAt - DAY_MS);
  const millime = compose(loadConfig(installation.env), silentLogger);
  endings.push(() => millime.close());
  await installation.seedAgents(MONTH_AGENTS, 1_000_000);
  const plan = planMonth(MONTH_SIZE, FAULT_SEED);
  return Object.assign(month, {
    installation,
    millime,
    gateway,
    relay,
    plan,
    size: MONTH_SIZE,
    quietDays: MONTH_SIZE.quietDays,
    startAt,
    seed: FAULT_SEED,
  });
}

async function anInstallation(dialect: 'sqlite' | 'mariadb', clock: string, relay: Relay): Promise<Installation> {
  const port = await freePort();
  const env = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    GATEWAY_BASE_URL: relay.baseUrl,
    GATEWAY_PUBLIC_KEY: 'pk_simulator',
    GATEWAY_PRIVATE_KEY: 'sk_simulator',
    GATEWAY_PRIVATE_KEY_PREVIOUS: 'sk_simulator_previous',
    GATEWAY_API_KEY: 'ak_simulator',
    GATEWAY_MERCHANT_ID: String(MERCHANT_ID),
    CHECKOUT_SUCCESS_URL: 'https://shop.example/yes',
    CHECKOUT_FAIL_URL: 'https://shop.example/no',
    LOG_LEVEL: 'error',
  };
  return new Installation((await freshDatabase(dialect)).url, { clock, env });
}

/** SQLite has one serving process that does all; a server has one for the calls and two for the jobs. */
async function startProcesses(dialect: 'sqlite' | 'mariadb', installation: Installation): Promise<void> {
  if (dialect === 'sqlite') {
    await installation.serve({ env: { LOG_LEVEL: 'info' } });
    return;
  }
  await installation.serve({ role: 'http', env: { LOG_LEVEL: 'info' } });
  for (let index = 0; index < JOB_PROCESSES; index += 1) {
    const process = spawnCli(['serve', '--role', 'jobs'], installation.env);
    const exited = once(process, 'exit');
    endings.push(async () => {
      process.kill('SIGTERM');
      await exited;
    });
  }
}

/** A job begins with the first window after its process: so the time goes on until one has begun. */
async function firstWindow(installation: Installation, from: number): Promise<void> {
  let at = from;
  await until('the jobs have begun', async () => {
    installation.setClock(formatInstant((at += MINUTE_MS)));
    const [row] = await selectRows(
      installation.url,
      `select count(distinct name) as begun from job_runs where name in ('poll', 'send-requested')`,
    );
    return Number(row?.['begun']) === 2;
  });
}

function report(dialect: string, figures: Readonly<Record<string, unknown>>): void {
  const lines = Object.entries(figures).map(([name, figure]) => `  ${name}: ${String(figure)}`);
  process.stdout.write(`a simulated month on ${dialect}\n${lines.join('\n')}\n`);
}
