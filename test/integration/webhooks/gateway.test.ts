import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Database, rowsOf } from '../../../src/db';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import { createPayments, type Payment } from '../../../src/payments';
import { createSubscriptions } from '../../../src/subscriptions';
import { createWebhooks, type Webhooks } from '../../../src/webhooks';
import { SIMULATED_TIME_ZONE } from '../../support/a-simulator';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { aCollectingScene, type CollectingScene } from '../payments/scene';
import { dyingDatabase } from './dying-database';
import { aGatewayDoor, type GatewayDoor } from './gateway-door';

// Goal: the gateway's webhooks, delivered well or badly, bring every payment to the gateway's state, and change nothing
// else. Method: the simulated gateway sends to Millime's routes over HTTP; the rooms of payments and subscriptions are
// the real ones.

/** Some ten lives of a process, each with a payment of its own, on a machine that has other things to do. */
const MANY_LIVES_MAX_MS = 120_000;
const HINT_TOKEN = 'an-unguessable-part-of-the-path-0123456789';
const ANY = { acceptCard: true } as const;

describeOnEachDatabase('webhooks of the gateway', (harness) => {
  let door: GatewayDoor;
  let scene: CollectingScene;
  let webhooks: Webhooks;

  /** The rooms as one process has them. */
  function roomOn(database: Database): Webhooks {
    const deps = { ...scene.deps, database };
    return createWebhooks({
      ...deps,
      payments: createPayments(deps),
      subscriptions: createSubscriptions(deps),
      keys: ['sk_simulator', 'sk_simulator_previous'],
      hintToken: HINT_TOKEN,
      timeZone: SIMULATED_TIME_ZONE,
    });
  }

  beforeEach(async () => {
    door = await aGatewayDoor();
    scene = await aCollectingScene(harness.database, {
      settings: { publicUrl: door.publicUrl, hintToken: HINT_TOKEN },
    });
    webhooks = roomOn(harness.database);
    door.open(webhooks);
  });
  afterEach(async () => {
    expect(await scene.brokenInvariants()).toEqual([]);
    await scene.close();
    await door.close();
  });

  async function count(table: string): Promise<number> {
    const [row] = await harness.database.read((session) => rowsOf(session(table).count('* as n')));
    return Number(row?.['n']);
  }

  async function create(amountMillimes: number): Promise<Payment> {
    const outcome = await scene.payments.create({ kind: 'standard', amountMillimes, ...ANY }, BY_TEST);
    if (outcome.kind !== 'created') throw new Error(`not created: ${outcome.kind}`);
    return outcome.payment;
  }
  const nowOf = async ({ trackingId }: Payment): Promise<Payment> => (await scene.payments.show(trackingId)).payment;
  const pay = (payment: Payment): Promise<unknown> =>
    scene.control('POST', `/payments/${payment.gatewayId ?? ''}/pay`, {});

  test('post a payment as soon as its webhook is processed', async () => {
    const payment = await create(125_500);
    await scene.pass(MINUTE_MS);
    await pay(payment);
    await scene.pass(MINUTE_MS);
    expect(door.answered).toEqual([200]);
    expect((await nowOf(payment)).status).not.toBe('SUCCESS');
    expect(await webhooks.processInbox()).toBe(1);
    const paid = await nowOf(payment);
    expect(paid.status).toBe('SUCCESS');
    expect(paid.itemId).toBe(`payment:${payment.gatewayId ?? ''}`);
    expect((await webhooks.list({ limit: 10 })).rows).toMatchObject([
      { state: 'done', outcome: 'looked', trackingId: payment.trackingId, paymentId: payment.gatewayId },
    ]);
  });

  test('S7: change nothing by a forged terminal hint and trigger a status check', async () => {
    const started = await scene.channels.startPos(
      { idTerminal: 'T1', serialNumber: 'S1', amountMillimes: 9_000, paymentMethod: 'CARD' },
      BY_TEST,
    );
    if (started.kind !== 'created') throw new Error(`not started: ${started.kind}`);
    const before = await nowOf(started.payment);
    const forged = JSON.stringify({ developer_tracking_id: before.trackingId, status: 'PS', amount: 9_000 });
    await scene.pass(1_000);
    const sent = await fetch(`${door.publicUrl}/webhooks/hint/${HINT_TOKEN}/pos`, { method: 'POST', body: forged });
    expect(sent.status).toBe(200);
    await webhooks.processInbox();
    const hinted = await nowOf(before);
    const { nextCheckAt, triggeredAt, ...rest } = hinted;
    const { nextCheckAt: _nextCheckAt, triggeredAt: _triggeredAt, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
    expect({ nextCheckAt, triggeredAt }).toEqual({ nextCheckAt: scene.clock.now(), triggeredAt: scene.clock.now() });
    await scene.payments.poll();
    const checked = await nowOf(before);
    expect(checked.checks + checked.failedChecks).toBeGreaterThan(0);
    expect({ status: checked.status === 'PS', itemId: checked.itemId }).toEqual({ status: false, itemId: undefined });
  });

  test.each(['before', 'after'] as const)(
    'lose and duplicate nothing when the process dies %s any commit of receiving and processing',
    async (side) => {
      let wasKilled = true;
      for (let transaction = 1; wasKilled; transaction += 1) {
        const payment = await create(5_000 + transaction);
        await scene.pass(MINUTE_MS);
        await pay(payment);
        const dying = dyingDatabase(harness.database, transaction, side);
        const doomed = roomOn(dying.database);
        door.open(doomed);
        await scene.pass(MINUTE_MS);
        await doomed.processInbox().catch(() => undefined);
        wasKilled = dying.isDead();

        // Another process starts. The gateway sends again what was not answered, and the lease of the dead one ends.
        door.open(webhooks);
        await scene.pass(2 * MINUTE_MS);
        await harness.database.transact((session) => session('webhook_inbox').update({ lease_until: 1 }));
        await webhooks.processInbox();

        const { gatewayId = '' } = payment;
        expect(await nowOf(payment)).toMatchObject({ status: 'SUCCESS', itemId: `payment:${gatewayId}` });
        expect((await webhooks.list({ paymentId: gatewayId, limit: 10 })).rows).toMatchObject([{ state: 'done' }]);
        expect(await count('gateway_items')).toBe(transaction);
        expect(await scene.brokenInvariants()).toEqual([]);
      }
      expect(await count('gateway_items')).toBeGreaterThan(4);
    },
    MANY_LIVES_MAX_MS,
  );

  test('F13: bring each payment to the gateway’s state under all delivery faults, and leave no message', async () => {
    await scene.control('PATCH', '/settings', {
      webhookFaults: {
        lostPpm: 100_000,
        doubledPpm: 300_000,
        reorderedPpm: 200_000,
        latePpm: 200_000,
        wrongKeyPpm: 50_000,
        previousKeyPpm: 100_000,
        oldTimestampPpm: 100_000,
        futureTimestampPpm: 100_000,
        tamperedPpm: 100_000,
        unknownEventPpm: 100_000,
        unsignedPpm: 50_000,
      },
    });
    const payments: Payment[] = [];
    for (let n = 0; n < 16; n += 1) {
      const payment = await create(1_000 + n);
      payments.push(payment);
      await scene.pass(10_000);
      if (n % 4 === 3) await scene.control('POST', `/payments/${payment.gatewayId ?? ''}/fail`, {});
      else if (n % 4 !== 2) await pay(payment);
      await webhooks.processInbox();
    }
    for (let hour = 0; hour < 30; hour += 1) {
      await scene.pass(HOUR_MS);
      await webhooks.processInbox();
      await scene.payments.poll();
    }
    const ends = await Promise.all(payments.map(async (payment) => (await nowOf(payment)).status));
    expect(ends).toEqual(payments.map((_, n) => ['SUCCESS', 'SUCCESS', 'EXPIRED', 'FAILURE'][n % 4]));
    expect((await webhooks.list({ states: ['received', 'parked'], limit: 10 })).rows).toEqual([]);
    // The faults were there: something was refused, and something was taken.
    expect(new Set(door.answered)).toEqual(new Set([200, 401]));
  });
});
