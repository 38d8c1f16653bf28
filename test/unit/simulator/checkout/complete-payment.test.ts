// Goal: a payment ends once, its money is owed once, and each waiting caller is notified once.
// Method: the customer's acts through the simulator's functions; the owed items and notifications are read from its
// world.
import { describe, expect, test } from '@jest/globals';
import { completePayment } from '../../../../src/simulator/checkout/complete-payment';
import { createPayment } from '../../../../src/simulator/checkout/create-payment';
import { failPayment, payPayment } from '../../../../src/simulator/testing';
import { at } from '../payouts/pack';
import { aCheckout, START } from './pack';

const HOOK = 'https://merchant.example/hook';

describe('A payment that the customer pays', () => {
  test.each(['wallet', 'mpayment'] as const)('is owed to the merchant immediately when it is paid by %s', (type) => {
    const world = aCheckout();
    const paymentId = world.create();

    payPayment(world.simulation, paymentId, { type });

    expect(world.verified(paymentId)).toMatchObject({ type, status: 'SUCCESS', settlement_status: 'AVAILABLE' });
    expect(world.simulation.world.payoutBook.open).toEqual([
      {
        itemId: `payment:${paymentId}`,
        channel: type,
        amountMillimes: 25_000,
        succeededAt: START,
        availableAt: START,
      },
    ]);
  });

  test.each([
    ['a Monday', '2026-03-02 10:00', '2026-03-03 09:00'],
    ['a Friday', '2026-03-06 23:30', '2026-03-09 09:00'],
    ['the day before a holiday', '2026-03-19 08:00', '2026-03-23 09:00'],
    ['a Sunday', '2026-03-08 08:00', '2026-03-09 09:00'],
  ])('is owed on the next working day when it is paid by card on %s', async (_day, paid, available) => {
    const world = aCheckout();
    await world.advanceTo(paid);
    const paymentId = world.create({ accept_card: true });

    payPayment(world.simulation, paymentId, { type: 'card' });

    expect(world.simulation.world.payoutBook.open).toMatchObject([{ channel: 'card', availableAt: at(available) }]);
    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS', settlement_status: 'PROCESSING' });
  });

  test('is unchanged by a second success', () => {
    const world = aCheckout();
    const paymentId = world.create();
    payPayment(world.simulation, paymentId);

    expect(payPayment(world.simulation, paymentId, { late: true })).toEqual({ kind: 'refused', reason: 'not_pending' });
    expect(world.simulation.world.payoutBook.open).toHaveLength(1);
  });

  test('does not expire when its session ends', async () => {
    const world = aCheckout();
    const paymentId = world.create();
    payPayment(world.simulation, paymentId);

    await world.advanceSecs(1_201);

    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS' });
  });

  test('owes the merchant the rest of a split after the parts of the others', () => {
    const world = aCheckout();
    const destination = [{ amount: 20_000, destination: '0123' }];
    const paymentId = world.create({ amount: 25_000, destination });

    payPayment(world.simulation, paymentId);

    expect(world.simulation.world.payoutBook.open).toMatchObject([{ amountMillimes: 5_000 }]);
    expect(world.verified(paymentId)).toMatchObject({ amount: 25_000, details: { destination } });
  });

  test('owes the merchant nothing of a split without a rest', () => {
    const world = aCheckout();
    const paymentId = world.create({ amount: 25_000, destination: [{ amount: 25_000, destination: '0123' }] });

    payPayment(world.simulation, paymentId);

    expect(world.simulation.world.payoutBook.open).toEqual([]);
    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('A payment that stays unpaid', () => {
  test('is pending until the end of its session and expired afterwards', async () => {
    const world = aCheckout();
    const paymentId = world.create({ session_timeout_secs: 300 });

    await world.advanceSecs(299);
    expect(world.verified(paymentId)).toMatchObject({
      type: 'NA',
      status: 'PENDING',
      settlement_status: 'NOT_APPLICABLE',
    });
    await world.advanceSecs(1);
    expect(world.verified(paymentId)).toMatchObject({
      type: 'NA',
      status: 'EXPIRED',
      settlement_status: 'NOT_APPLICABLE',
    });

    expect(payPayment(world.simulation, paymentId)).toEqual({ kind: 'refused', reason: 'not_pending' });
    expect(world.simulation.world.payoutBook.open).toEqual([]);
  });

  test('becomes paid by a late success and is owed once', async () => {
    const world = aCheckout();
    const paymentId = world.create({ session_timeout_secs: 300, webhook: HOOK });
    await world.advanceSecs(300);

    payPayment(world.simulation, paymentId, { late: true });

    expect(world.verified(paymentId)).toMatchObject({ status: 'SUCCESS', settlement_status: 'AVAILABLE' });
    expect(world.simulation.world.payoutBook.open).toHaveLength(1);
    expect(world.webhooks()).toMatchObject([{ success: false }, { success: true }]);
  });
});

describe('A payment that fails', () => {
  test('states the reason and owes nothing', () => {
    const world = aCheckout();
    const paymentId = world.create();

    failPayment(world.simulation, paymentId);

    const { status, details, settlement_status } = world.verified(paymentId);
    expect({ status, settlement_status }).toEqual({ status: 'FAILURE', settlement_status: 'NOT_APPLICABLE' });
    expect(details).toEqual({ failure_reason: expect.any(String) });
    expect(world.simulation.world.payoutBook.open).toEqual([]);
  });

  test('sends no webhook for a system failure, because the interface has none', () => {
    const world = aCheckout();
    const paymentId = world.create({ webhook: HOOK });

    completePayment(world.simulation, paymentId, { outcome: 'system_failure', type: 'wallet' });

    expect(world.verified(paymentId)).toMatchObject({ status: 'SYSTEM_FAILURE', settlement_status: 'NOT_APPLICABLE' });
    expect(world.webhooks()).toEqual([]);
  });
});

test('an unknown payment id has no settlement status', () => {
  const { simulation } = aCheckout();

  for (const paymentId of ['unknown', '__proto__', 'constructor']) {
    expect(payPayment(simulation, paymentId)).toEqual({ kind: 'refused', reason: 'unknown_payment' });
  }
});

describe('The webhook of a payment', () => {
  test.each([
    ['pay', true],
    ['fail', false],
  ] as const)('of version 1 tells of %s by its success alone', (act, success) => {
    const world = aCheckout();
    const paymentId = world.create({ webhook: HOOK });

    (act === 'pay' ? payPayment : failPayment)(world.simulation, paymentId);

    expect(world.webhooks()).toEqual([{ kind: 'payment_v1', url: HOOK, paymentId, success }]);
  });

  test.each([
    ['wallet', 'service'],
    ['card', 'card'],
    ['mpayment', 'mpayment'],
  ] as const)('of version 2 names the method %s as %s, with every field of section 6.3', (type, paymentMethod) => {
    const world = aCheckout();
    const paymentId = world.create({
      webhook: HOOK,
      webhook_version: 2,
      accept_card: true,
      developer_tracking_id: 'o-1',
    });

    payPayment(world.simulation, paymentId, { type });

    expect(world.webhooks()).toEqual([
      {
        kind: 'payment_v2',
        url: HOOK,
        event: 'payment.succeeded',
        body: {
          event: 'payment.succeeded',
          event_id: expect.stringMatching(/^evt_/),
          created: '2026-03-02T10:00:00.000+01:00',
          payment_id: paymentId,
          developer_tracking_id: 'o-1',
          amount: 25_000,
          currency: 'TND',
          payment_method: paymentMethod,
        },
      },
    ]);
  });

  test('reports an expired session in version 2 as failed, without a method and, if none was given, without a tracking id', async () => {
    const world = aCheckout();
    world.create({ webhook: HOOK, webhook_version: 2 });

    await world.advanceSecs(1_200);

    expect(world.webhooks()).toMatchObject([{ event: 'payment.failed', body: { payment_method: 'NA' } }]);
    expect(JSON.stringify(world.webhooks())).not.toContain('developer_tracking_id');
  });

  test('has a different event id for each event of a payment', async () => {
    const world = aCheckout();
    const paymentId = world.create({ webhook: HOOK, webhook_version: 2 });
    await world.advanceSecs(1_200);
    payPayment(world.simulation, paymentId, { late: true });

    const ids = world.webhooks().map((message) => ('body' in message ? message.body['event_id'] : undefined));

    expect(new Set(ids).size).toBe(2);
  });

  test('is not sent if none was requested', () => {
    const world = aCheckout();
    payPayment(world.simulation, world.create());

    expect(world.webhooks()).toEqual([]);
  });
});

describe('A charge of a subscription', () => {
  const CHARGE = {
    variant: 'subscription',
    amountMillimes: 9_000,
    successLink: 'https://shop.example/paid',
    failLink: 'https://shop.example/failed',
    webhook: HOOK,
    webhookVersion: 2,
    developerTrackingId: 's-1',
    acceptCard: false,
    clientId: null,
    imageUrl: null,
    destination: [],
    sessionTimeoutSecs: 1_200,
    subscriptionId: 'sub_1',
  } as const;

  test.each([
    ['paid', 'success', 'SUCCESS'],
    ['refused', 'failure', 'FAILURE'],
    ['broken', 'system_failure', 'FAILURE'],
  ] as const)('that is %s is told to its subscription, not to a payment webhook', async (_how, outcome, status) => {
    const world = aCheckout();
    const { paymentId } = createPayment(world.simulation, CHARGE);

    completePayment(world.simulation, paymentId, { outcome, type: 'wallet' });
    await world.simulator.catchUp();

    expect(world.payment(paymentId).status).toBe(status);
    expect(world.settledCharges).toEqual([paymentId]);
    expect(world.webhooks()).toEqual([]);
  });

  test('sends an event when it expires unpaid', async () => {
    const world = aCheckout();
    const { paymentId } = createPayment(world.simulation, CHARGE);

    await world.advanceSecs(1_200);

    expect(world.payment(paymentId).status).toBe('EXPIRED');
    expect(world.settledCharges).toEqual([paymentId]);
  });

  test('owes its money under the channel of subscriptions', () => {
    const world = aCheckout();
    const { paymentId } = createPayment(world.simulation, CHARGE);

    completePayment(world.simulation, paymentId, { outcome: 'success', type: 'wallet' });

    expect(world.simulation.world.payoutBook.open).toMatchObject([{ channel: 'subscription', amountMillimes: 9_000 }]);
  });

  test('is not paid automatically without a customer', async () => {
    const world = aCheckout({ payer: { mode: 'auto', afterSecs: 1, failurePpm: 0, abandonPpm: 0 } });
    const { paymentId } = createPayment(world.simulation, { ...CHARGE, payer: 'none' });

    await world.advanceSecs(10);

    expect(world.payment(paymentId).status).toBe('PENDING');
  });
});
