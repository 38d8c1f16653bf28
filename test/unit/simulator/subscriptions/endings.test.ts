// Goal: a subscription can be ended by everybody whom interface section 3.2 names, and then it stays ended.
// Method: the control functions on a simulator without a socket; what is told and what is debited afterwards is looked at.
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import {
  cancelSubscription,
  closeCustomerWallet,
  failNextRenewal,
  renewNow,
} from '../../../../src/simulator/subscriptions/steer-subscription';
import type { SimSubscription } from '../../../../src/simulator/subscriptions/subscription-state';
import type { Simulator } from '../../../../src/simulator/testing';
import { passTime } from '../../../support/a-simulator';
import { chargesOf, DAY_MS, instantOf, passUntil, told, withActive, withSubscription } from './a-subscription';

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

test.each(['nobody', '', '__proto__', 'constructor'])(
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
