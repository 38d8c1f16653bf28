// Goal: a subscription begins with its first charge, and only with it (interface section 3.2).
// Method: a simulator without a socket; time is moved by hand, and the trace says what was told.
import { describe, expect, test } from '@jest/globals';
import { failPayment, payPayment } from '../../../../src/simulator/testing';
import { answerTo, aSimulator, passTime } from '../../../support/a-simulator';
import {
  chargesOf,
  CREATION,
  instantOf,
  MINUTE_MS,
  passUntil,
  pay,
  told,
  withActive,
  withSubscription,
} from './a-subscription';

describe('The first charge', () => {
  test('activates the subscription and starts its periods when it is paid', async () => {
    const { simulator, subscription } = withSubscription();
    await passTime(simulator, 3 * MINUTE_MS);
    await pay(simulator, subscription);
    expect(told(simulator)).toEqual(['subscription.activated → active', 'subscription.charge.succeeded → active']);
    expect(subscription).toMatchObject({
      status: 'active',
      activatedAt: instantOf('2026-03-02T08:03:00Z'),
      currentPeriodStart: instantOf('2026-03-02T08:03:00Z'),
      currentPeriodEnd: instantOf('2026-04-02T08:03:00Z'),
      nextChargeAt: instantOf('2026-04-02T08:03:00Z'),
      cyclesCompleted: 1,
    });
  });

  test('has the day of the creation and no end, even if it is paid on the next day', async () => {
    const { simulator, subscription } = withSubscription({ startAt: '2026-03-02T22:55:00.000Z' });
    await passTime(simulator, 10 * MINUTE_MS);
    await pay(simulator, subscription);
    expect(chargesOf(simulator, subscription)).toEqual(['subscription_create 0 SUCCESS 2026-03-02..']);
    await passUntil(simulator, '2026-04-02T23:10:00Z');
    expect(chargesOf(simulator, subscription)[1]).toBe('subscription_cycle 0 SUCCESS 2026-04-03..2026-05-03');
  });

  test('ends the subscription exactly at the end of its session if it stays unpaid', async () => {
    const { simulator, subscription } = withSubscription({ body: { session_timeout: 1_800 } });
    await passTime(simulator, 30 * MINUTE_MS - 1);
    expect(subscription.status).toBe('incomplete');
    await passTime(simulator, 1);
    expect(subscription.status).toBe('incomplete_expired');
    expect(told(simulator)).toEqual(['subscription.incomplete_expired → incomplete_expired']);
    expect(chargesOf(simulator, subscription)).toEqual(['subscription_create 0 EXPIRED 2026-03-02..']);
  });

  test('ends the subscription when it fails', async () => {
    const { simulator, subscription } = withSubscription();
    failPayment(simulator.simulation, subscription.charges[0]?.paymentId ?? '');
    await passTime(simulator, 0);
    expect(told(simulator)).toEqual(['subscription.incomplete_expired → incomplete_expired']);
  });

  test('sends its event and reactivates nothing when it is paid late', async () => {
    const { simulator, subscription } = withSubscription();
    await passTime(simulator, 60 * MINUTE_MS);
    payPayment(simulator.simulation, subscription.charges[0]?.paymentId ?? '', { late: true });
    await passTime(simulator, 0);
    expect(told(simulator).slice(1)).toEqual(['subscription.charge.succeeded → incomplete_expired']);
    expect(subscription).toMatchObject({ activatedAt: null, nextChargeAt: null, cyclesCompleted: 0 });
  });

  test('completes a plan of one payment', async () => {
    const { simulator, subscription } = await withActive({ body: { max_cycles: 1 } });
    expect(told(simulator)).toEqual([
      'subscription.activated → active',
      'subscription.charge.succeeded → active',
      'subscription.completed → canceled',
    ]);
    expect(subscription).toMatchObject({
      cancellationInitiator: 'system',
      cancellationReason: 'completed',
      nextChargeAt: null,
    });
  });

  test('is owed under the channel of subscriptions, available immediately', async () => {
    const { simulator, subscription } = await withActive();
    expect(simulator.simulation.world.payoutBook.open).toMatchObject([
      {
        itemId: `payment:${subscription.charges[0]?.paymentId}`,
        channel: 'subscription',
        amountMillimes: 30_000,
        availableAt: simulator.simulation.now(),
      },
    ]);
  });
});

describe('The fee of a charge', () => {
  const fees = [
    {
      channel: 'subscription',
      rate_ppm: 20_000,
      fixed_millimes: 0,
      tva_ppm: 190_000,
      rounding: 'half_up',
      basis: 'item',
    },
  ] as const;

  const feeAfter = async (ms: number, plan: unknown): Promise<unknown> => {
    const simulator = aSimulator({ settings: { payouts: plan } });
    answerTo(simulator, 'POST /api/v2/subscriptions', { body: CREATION });
    const [subscription] = Object.values(simulator.simulation.world.subscriptions.byId);
    if (subscription === undefined) throw new Error('nothing was created');
    await pay(simulator, subscription);
    await passTime(simulator, ms);
    return subscription.charges[0]?.fee;
  };

  test('is computed an hour after the payment, by the fee schedule of the payouts', async () => {
    expect(await feeAfter(60 * MINUTE_MS - 1, { fees })).toBeNull();
    expect(await feeAfter(60 * MINUTE_MS, { fees })).toEqual({ feeMillimes: 600, tvaMillimes: 114 });
  });

  test('is absent if the schedule has no rule', async () => {
    expect(await feeAfter(60 * MINUTE_MS, {})).toEqual({ feeMillimes: 0, tvaMillimes: 0 });
  });

  test('is unknown for a charge if fees are taken from whole payouts', async () => {
    expect(await feeAfter(600 * MINUTE_MS, { fees: [{ ...fees[0], basis: 'payout' }] })).toBeNull();
  });
});
