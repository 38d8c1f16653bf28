// Goal: each gauge shows what the rows mean, on both databases, and a scrape names no person.
// Method: rows that the rooms write, or plain rows where a room would need a gateway; a scrape for each step.
import { beforeEach, expect, test } from '@jest/globals';
import { type NewBreak, openBreakStore } from '../../../src/breaks';
import { loadConfig } from '../../../src/config';
import { createGatewayClient } from '../../../src/gateway';
import { createSharedBudgetStore } from '../../../src/gateway-budget';
import { businessDate, DAY_MS, millimes, MINUTE_MS, newId, sha256Hex } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createMetrics, type Metrics, type MetricsDeps } from '../../../src/metrics';
import { moneySlice } from '../../../src/metrics/testing';
import type { TokenExpiry } from '../../../src/service-tokens';
import { describeOnEachDatabase } from '../../support/db';
import { freePort } from '../../support/free-port';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { samplesOf } from './samples-of';

const START = '2026-03-02T09:00:00+01:00';
/** The clock of the caches: no two scrapes share a reading. */
const neverSame = () => {
  let now = 0;
  return { now: () => (now += 10 * MINUTE_MS) };
};

describeOnEachDatabase('A scrape', (harness) => {
  let rooms: Rooms;
  let metrics: Metrics;

  beforeEach(() => {
    rooms = openRooms(harness.database, START);
    metrics = metricsWith({});
  });

  function metricsWith(more: Partial<MetricsDeps>): Metrics {
    const { clock, calendar, workingDays } = rooms;
    return createMetrics({
      ...{ database: harness.database, clock, calendar, workingDays, logger: silentLogger },
      urgency: loadConfig({}).breakUrgency,
      tokenExpiry: () => Promise.resolve({ state: 'never_minted' }),
      gateway: undefined,
      monotonic: neverSame(),
      ...more,
    });
  }

  const scrape = async (of = metrics): Promise<ReadonlyMap<string, number>> => samplesOf(await of.scrape());

  test('counts waiting webhooks by state, and states the age of the oldest', async () => {
    const received = (state: string, minutesAgo: number): Record<string, unknown> => ({
      ...{ id: newId(), dedupe_digest: sha256Hex(newId()), content_digest: sha256Hex('x'), content: Buffer.from('x') },
      ...{ family: 'hint', proof: 'unsigned', event: 'pos', times: 1, state, lease_until: 0, fencing: 0, tries: 0 },
      received_at: rooms.clock.now() - minutesAgo * MINUTE_MS,
      last_received_at: rooms.clock.now(),
      available_at: rooms.clock.now(),
    });
    expect((await scrape()).get('millime_inbox_webhooks{state="received"}')).toBe(0);
    await harness.database.transact((session) =>
      session('webhook_inbox').insert([
        received('received', 1),
        received('received', 3),
        received('parked', 60),
        received('done', 90),
      ]),
    );
    const found = await scrape();
    expect(found.get('millime_inbox_webhooks{state="received"}')).toBe(2);
    expect(found.get('millime_inbox_oldest_seconds{state="received"}')).toBe(180);
    expect(found.get('millime_inbox_webhooks{state="parked"}')).toBe(1);
    expect(found.get('millime_inbox_oldest_seconds{state="parked"}')).toBe(3_600);
  });

  test('counts open breaks by class and by the severity that breaks compute from amount and age', async () => {
    const aBreak = (fingerprint: string, more: Partial<NewBreak>): NewBreak => ({
      ...{ fingerprint, breakClass: 'missing_in_bank', since: businessDate('2026-02-26'), amount: millimes(1_000) },
      ...{ direction: 'books_have_more', subject: { itemIds: [], lineIds: [], facts: {} } },
      ...more,
    });
    await harness.database.transact(async (session) => {
      const store = openBreakStore(session);
      const breaks = [
        aBreak('small', {}),
        aBreak('large', { amount: millimes(-1_000_000) }),
        aBreak('old', { since: businessDate('2026-01-05') }),
        aBreak('unknown', { amount: undefined, breakClass: 'paid_but_rejected' }),
        aBreak('resolved', { amount: millimes(2_000_000) }),
      ];
      await store.open(breaks, 10, 'run:1');
      const [resolved] = (await store.byFingerprint(['resolved'])).values();
      await store.resolve(resolved?.id ?? '', 'accepted', 20, 'test');
    });
    const open = [...(await scrape())].filter(([name]) => name.startsWith('millime_breaks_open'));
    expect(new Map(open)).toEqual(
      new Map([
        ['millime_breaks_open{class="missing_in_bank",severity="low"}', 1],
        ['millime_breaks_open{class="missing_in_bank",severity="high"}', 2],
        ['millime_breaks_open{class="paid_but_rejected",severity="low"}', 1],
      ]),
    );
  });

  test('states how long ago each job ended, and ended without a fault', async () => {
    const run = (name: string, status: string, minutesAgo: number): Record<string, unknown> => ({
      ...{ name, status, fencing: 1, lease_until: 0, started_at: 0, error: '' },
      window_at: rooms.clock.now() - minutesAgo * MINUTE_MS,
    });
    await harness.database.transact((session) =>
      session('job_runs').insert([
        run('poll', 'done', 3),
        run('poll', 'failed', 2),
        run('poll', 'running', 1),
        run('reconcile', 'failed', 20),
        run('reconcile', 'failed', 10),
      ]),
    );
    const found = await scrape();
    expect(found.get('millime_job_lag_seconds{job_name="poll"}')).toBe(120);
    expect(found.get('millime_job_success_lag_seconds{job_name="poll"}')).toBe(180);
    expect(found.get('millime_job_lag_seconds{job_name="reconcile"}')).toBe(600);
    expect(found.get('millime_job_success_lag_seconds{job_name="reconcile"}')).toBe(1_200);
  });

  test('states the calls that the client of any process sent, and its open circuit', async () => {
    const { clock } = rooms;
    const gateway = { baseUrl: `http://127.0.0.1:${await freePort()}/app/`, publicKey: 'pk_test' };
    const client = createGatewayClient({
      ...gateway,
      privateKey: 'sk_test',
      ...{ clock, logger: silentLogger },
      budget: { store: createSharedBudgetStore(harness.database, clock) },
    });
    const withGateway = metricsWith({ gateway: { ...gateway, baseUrl: gateway.baseUrl.replace(/\/$/, '') } });
    expect((await scrape(withGateway)).get('millime_gateway_circuit_open')).toBe(0);
    await expect(client.payments.verify('P-1')).rejects.toMatchObject({ code: 'connection' });
    const found = await scrape(withGateway);
    expect(found.get('millime_gateway_calls_used{operation="verify"}')).toBe(1);
    expect(found.get('millime_gateway_calls_limit{operation="verify"}')).toBe(30);
    expect(found.get('millime_gateway_calls_used{operation="create_subscription"}')).toBe(0);
    expect(found.get('millime_gateway_circuit_open')).toBe(1);
    expect(found.get('millime_gateway_refused_seconds')).toBe(30);
    clock.advance(MINUTE_MS);
    expect((await scrape(withGateway)).get('millime_gateway_calls_used{operation="verify"}')).toBe(0);
    expect((await scrape()).has('millime_gateway_circuit_open')).toBe(false);
  });

  test('follows money from the due to the bank, and equals the clearing report', async () => {
    await rooms.importAgents('A1', 'A2');
    await rooms.importDues(['D1', 'A1', 50_000], ['D2', 'A2', 7_000]);
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 30_000 });
    await rooms.confirm({ transactionId: 'T2', agentId: 'A2', amount: 5_000 });
    expect((await scrape()).get('millime_money_millimes{stage="owed",channel=""}')).toBe(0); // still too recent
    rooms.clock.advance(10 * MINUTE_MS);
    const paid = await scrape();
    expect(paid.get('millime_money_millimes{stage="owed",channel=""}')).toBe(22_000);
    expect(paid.get('millime_money_millimes{stage="in_transit",channel="agent"}')).toBe(35_000);
    expect(paid.get('millime_money_age_seconds')).toBe(300);

    rooms.clock.advance(DAY_MS);
    await rooms.importStatement([
      ['03/03/2026', PAYOUT_TEXT, 35_000],
      ['03/03/2026', PAYOUT_TEXT, 1_234],
    ]);
    rooms.clock.advance(10 * MINUTE_MS);
    expect((await scrape()).get('millime_money_millimes{stage="unmatched",channel=""}')).toBe(36_234);
    await rooms.reconcile('2026-03-03');
    rooms.clock.advance(10 * MINUTE_MS);
    const banked = await scrape();
    expect(banked.get('millime_money_millimes{stage="unmatched",channel=""}')).toBe(1_234);
    const { channels } = await rooms.reporting.clearing({
      from: businessDate('2026-03-01'),
      to: businessDate('2026-03-03'),
    });
    const inReport = channels.find(({ channel }) => channel === 'agent')?.closing;
    expect(banked.get('millime_money_millimes{stage="in_transit",channel="agent"}')).toBe(Number(inReport));
    // Another process begins with the whole ledger, and arrives at the same figures.
    expect(new Map([...(await scrape(metricsWith({})))].filter(([name]) => name.startsWith('millime_money')))).toEqual(
      new Map([...banked].filter(([name]) => name.startsWith('millime_money'))),
    );
  });

  test('adds up the same money in slices of any size', async () => {
    await rooms.importAgents('A1');
    await rooms.importDues(['D1', 'A1', 50_000], ['D2', 'A1', 7_000]); // recorded at one instant
    for (const [index, amount] of [1_000, 2_000, 4_000].entries()) {
      rooms.clock.advance(1_000);
      await rooms.confirm({ transactionId: `T${index}`, agentId: 'A1', amount });
    }
    const until = rooms.clock.now();
    const inSlices = async (countMax: number): Promise<[number, ReadonlyMap<string, bigint>]> => {
      const sums = new Map<string, bigint>();
      let slices = 0;
      for (let through = 0; through < until; slices += 1) {
        const after = through;
        const slice = await harness.database.read((session) => moneySlice(session, after, until, countMax));
        for (const [account, total] of slice.moved) sums.set(account, (sums.get(account) ?? 0n) + total);
        through = slice.through;
      }
      return [slices, sums];
    };
    const whole = new Map([
      ['agent_receivable', 50_000n],
      ['dues_assessed', -57_000n],
      ['gateway_clearing:agent', 7_000n],
    ]);
    expect(await inSlices(1_000)).toEqual([1, whole]);
    const [slices, sums] = await inSlices(1);
    expect(slices).toBeGreaterThan(1);
    expect(sums).toEqual(whole);
  });

  test('states when the last token expires, 0 without a valid one, and nothing before the first', async () => {
    let state: TokenExpiry = { state: 'never_minted' };
    const withToken = metricsWith({ tokenExpiry: () => Promise.resolve(state) });
    expect((await scrape(withToken)).has('millime_token_expiry_seconds')).toBe(false);
    state = { state: 'ok', expiresAt: rooms.clock.now() + DAY_MS };
    expect((await scrape(withToken)).get('millime_token_expiry_seconds')).toBe(86_400);
    state = { state: 'expired' };
    expect((await scrape(withToken)).get('millime_token_expiry_seconds')).toBe(0);
  });

  test('counts the connections in use', async () => {
    await harness.database.read(() => {
      expect(harness.database.poolUse()).toMatchObject({ used: 1, waiting: 0 });
      return Promise.resolve();
    });
    const found = await scrape();
    expect(found.get('millime_database_up')).toBe(1);
    expect(found.get('millime_database_connections_max')).toBe(harness.dialect === 'sqlite' ? 1 : 12);
    expect(found.get('millime_database_connections{state="used"}')).toBe(0);
  });

  test('contains no id, name or phone of an agent, and no bank account', async () => {
    await rooms.importAgents('SECRETAGENT');
    await rooms.importDues(['D-SECRET', 'SECRETAGENT', 50_000]);
    await rooms.confirm({ transactionId: 'T-SECRET', agentId: 'SECRETAGENT', amount: 30_000 });
    await rooms.importStatement([['02/03/2026', PAYOUT_TEXT, 35_000]]);
    rooms.clock.advance(10 * MINUTE_MS);
    const text = await metrics.scrape();
    expect(samplesOf(text).get('millime_money_millimes{stage="owed",channel=""}')).toBe(20_000);
    expect(text).not.toMatch(/SECRET|216 ?20|11222333333333333344/);
  });

  test('shares one reading among callers that arrive together', async () => {
    const statements: string[] = [];
    const count = ({ sql }: { sql: string }): void => void statements.push(sql);
    const shared = metricsWith({ monotonic: { now: () => 0 } });
    harness.database.pool.on('query', count);
    try {
      await Promise.all(Array.from({ length: 50 }, () => shared.scrape()));
    } finally {
      harness.database.pool.off('query', count);
    }
    expect(statements.filter((sql) => sql.includes('webhook_inbox'))).toHaveLength(1);
  });
});
