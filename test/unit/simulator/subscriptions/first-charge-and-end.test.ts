import { describe, expect, test } from '@jest/globals';
import { DAY_MS, isAppError, MINUTE_MS } from '../../../../src/kernel';
import {
  cancelSubscription,
  closeCustomerWallet,
  failNextRenewal,
  renewNow,
} from '../../../../src/simulator/subscriptions/steer-subscription';
import { failPayment, payPayment, type SimSubscription, type Simulator } from '../../../../src/simulator/testing';
import { answerTo, aSimulator, passTime } from '../../../support/a-simulator';
import { chargesOf, CREATION, instantOf, passUntil, pay, told, withActive, withSubscription } from './a-subscription';

// Goal: a subscription begins with its first charge, and only with it (interface section 3.2).
// Method: a simulator without a socket; the test moves time by hand and reads the events in the trace.

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

// Goal: each party that interface section 3.2 names can end a subscription, and it stays ended.
// Method: the control functions on a simulator without a socket; the test reads later events and debits.

const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return isAppError(error) ? error.code : 'another error';
  }
};

const steps = (
  { simulation }: Simulator,
  { subscriptionId }: SimSubscription,
): Readonly<Record<string, () => unknown>> => ({
  cancel: () => cancelSubscription(simulation, subscriptionId, { initiator: 'merchant' }),
  cancelLater: () => cancelSubscription(simulation, subscriptionId, { initiator: 'merchant', atPeriodEnd: true }),
  closeWallet: () => closeCustomerWallet(simulation, subscriptionId),
  fail: () => failNextRenewal(simulation, subscriptionId, 1),
  renew: () => renewNow(simulation, subscriptionId),
});

describe('An immediate cancellation', () => {
  test.each(['merchant', 'customer', 'system'] as const)(
    'ends the subscription and its debits when the %s requests it',
    async (initiator) => {
      const { simulator, subscription } = await withActive();
      cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator });
      await passTime(simulator, 90 * DAY_MS);
      expect(told(simulator).slice(2)).toEqual(['subscription.canceled → canceled']);
      expect(subscription).toMatchObject({
        status: 'canceled',
        canceledAt: instantOf('2026-03-02T08:00:00Z'),
        cancellationInitiator: initiator,
        cancellationReason: null,
        nextChargeAt: null,
      });
      expect(subscription.charges).toHaveLength(1);
    },
  );

  test('closes the checkout of a subscription without a first charge, and sends one event', async () => {
    const { simulator, subscription } = withSubscription();
    cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator: 'customer' });
    await passTime(simulator, 0);
    expect(told(simulator)).toEqual(['subscription.canceled → canceled']);
    expect(chargesOf(simulator, subscription)).toEqual(['subscription_create 0 EXPIRED 2026-03-02..']);
  });

  test('lets a pending debit fail', async () => {
    const { simulator, subscription } = await withActive();
    await passUntil(simulator, '2026-04-02T08:00:00Z');
    cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator: 'merchant' });
    await passTime(simulator, DAY_MS);
    expect(told(simulator).slice(2)).toEqual([
      'subscription.canceled → canceled',
      'subscription.charge.failed → canceled',
    ]);
    expect(subscription.cyclesCompleted).toBe(1);
  });

  test('stops the retries of a subscription that is past due', async () => {
    const { simulator, subscription } = await withActive();
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 1);
    await passUntil(simulator, '2026-04-02T09:00:00Z');
    expect(subscription.status).toBe('past_due');
    cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator: 'merchant' });
    await passTime(simulator, 60 * DAY_MS);
    expect(subscription.charges).toHaveLength(2);
  });
});

describe('A cancellation at the end of the period', () => {
  test('sends its event immediately and ends the subscription in place of its renewal', async () => {
    const { simulator, subscription } = await withActive();
    cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator: 'customer', atPeriodEnd: true });
    await passUntil(simulator, '2026-04-02T07:59:59Z');
    expect(told(simulator).slice(2)).toEqual(['subscription.updated → active']);
    await passTime(simulator, 60 * DAY_MS);
    expect(told(simulator).slice(3)).toEqual(['subscription.canceled → canceled']);
    expect(subscription).toMatchObject({
      canceledAt: instantOf('2026-04-02T08:00:00Z'),
      cancellationInitiator: 'customer',
      cancellationReason: 'at_period_end',
    });
    expect(subscription.charges).toHaveLength(1);
  });

  test('sends one event when it is requested twice', async () => {
    const { simulator, subscription } = await withActive();
    const { cancelLater } = steps(simulator, subscription);
    cancelLater?.();
    cancelLater?.();
    expect(told(simulator).slice(2)).toEqual(['subscription.updated → active']);
  });

  test('is refused without a current paid period', () => {
    const { simulator, subscription } = withSubscription();
    expect(codeOf(() => steps(simulator, subscription)['cancelLater']?.())).toBe('conflict');
  });
});

test('the close of a wallet ends the subscription in the name of the service', async () => {
  const { simulator, subscription } = await withActive();
  closeCustomerWallet(simulator.simulation, subscription.subscriptionId);
  expect(told(simulator).slice(2)).toEqual(['subscription.canceled → canceled']);
  expect(subscription).toMatchObject({ cancellationInitiator: 'system', cancellationReason: 'customer_wallet_closed' });
});

test.each(['cancel', 'cancelLater', 'closeWallet', 'fail', 'renew'])(
  'an ended subscription refuses the control "%s"',
  async (step) => {
    const { simulator, subscription } = await withActive();
    cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator: 'merchant' });
    expect(codeOf(() => steps(simulator, subscription)[step]?.())).toBe('conflict');
    expect(told(simulator)).toHaveLength(3);
  },
);

test.each(['unknown', '', '__proto__', 'constructor'])(
  'the cancellation of the unknown subscription %j is refused',
  async (id) => {
    const { simulator } = await withActive();
    expect(codeOf(() => cancelSubscription(simulator.simulation, id, { initiator: 'merchant' }))).toBe('not_found');
  },
);

test.each([-1, 1.5, 1_001, Number.NaN])('an order for %d failed debits is refused', async (times) => {
  const { simulator, subscription } = await withActive();
  expect(codeOf(() => failNextRenewal(simulator.simulation, subscription.subscriptionId, times))).toBe('bad_input');
});
