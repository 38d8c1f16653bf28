import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  AppError,
  businessCalendar,
  businessDate,
  DAY_MS,
  formatInstant,
  MINUTE_MS,
  parseInstant,
} from '../../../../src/kernel';
import {
  BILLING_INTERVALS,
  type BillingCycle,
  periodDay,
  periodInstant,
} from '../../../../src/simulator/subscriptions/billing-cycle';
import {
  cancelSubscription,
  failNextRenewal,
  renewNow,
} from '../../../../src/simulator/subscriptions/steer-subscription';
import { failPayment, payPayment } from '../../../../src/simulator/testing';
import { passTime } from '../../../support/a-simulator';
import { chargesOf, instantOf, passUntil, told, withActive, withSubscription } from './a-subscription';

// Goal: periods are counted from the anchor, so that short months shift nothing permanently.
// Method: literal days, and the properties that hold for every plan.

const days = (anchor: string, cycle: BillingCycle, periods: readonly number[]): readonly string[] =>
  periods.map((period) => periodDay(businessDate(anchor), cycle, period));

describe('The first day of a period', () => {
  test('is the last day of a shorter month and the 31st afterwards, for a plan of the 31st', () => {
    expect(days('2026-01-31', { interval: 'month', intervalCount: 1 }, [0, 1, 2, 3, 12])).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2027-01-31',
    ]);
  });

  test('is 28 February until the next leap year, for a yearly plan of 29 February', () => {
    expect(days('2024-02-29', { interval: 'year', intervalCount: 1 }, [1, 3, 4])).toEqual([
      '2025-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  test.each([
    ['day', 10, '2026-03-12'],
    ['week', 2, '2026-03-16'],
    ['month', 10, '2027-01-02'],
    ['month', 12, '2027-03-02'],
    ['year', 1, '2027-03-02'],
  ] as const)('after %s × %d from 2 March 2026 is %s', (interval, intervalCount, day) => {
    expect(days('2026-03-02', { interval, intervalCount }, [1])).toEqual([day]);
  });

  test('is later for a later period, whatever the plan', () => {
    const plan = fc.record({
      interval: fc.constantFrom(...BILLING_INTERVALS),
      intervalCount: fc.integer({ min: 1, max: 12 }),
    });
    const anchor = fc
      .integer({ min: 0, max: 3_000 })
      .map((count) => periodDay(businessDate('2020-01-01'), { interval: 'day', intervalCount: 1 }, count));
    fc.assert(
      fc.property(anchor, plan, fc.integer({ min: 0, max: 8 }), (day, cycle, period) => {
        expect(periodDay(day, cycle, period) < periodDay(day, cycle, period + 1)).toBe(true);
      }),
    );
  });
});

test('a period begins at the local time of the activation, on both sides of a clock change', () => {
  const activatedAt = parseInstant('2026-03-01T12:30:15.250+01:00') ?? 0;
  const cycle = { interval: 'month', intervalCount: 1 } as const;
  const begins = (zone: string): string => formatInstant(periodInstant(businessCalendar(zone), activatedAt, cycle, 1));
  expect(begins('Africa/Tunis')).toBe('2026-04-01T11:30:15.250Z');
  expect(begins('Europe/Paris')).toBe('2026-04-01T10:30:15.250Z');
});

// Goal: renewals, retries and their end move a subscription as interface section 3.2 states, with events in order.
// Method: a simulator without a socket; the periods and retries of a plan run in simulated time.

const IN_THE_WALLET_MS = 5_000;

/** Retries after 10, 20 and 30 minutes. */
const QUICK = { retryAfterMinutes: [10, 20, 30] };

describe('A renewal', () => {
  test('moves money as its subscription was created, whatever the setting becomes', async () => {
    const { simulator, subscription } = await withActive();
    simulator.changeSettings({ isTest: true });
    await passUntil(simulator, '2026-04-03T08:00:00Z');
    expect(subscription.charges).toHaveLength(2);
    expect(simulator.simulation.world.earned.map(({ channel }) => channel)).toEqual(['subscription', 'subscription']);
  });

  test('is started when the period ends and debited a moment later', async () => {
    const { simulator, subscription } = await withActive();
    await passUntil(simulator, '2026-04-02T08:00:00Z');
    expect(chargesOf(simulator, subscription)[1]).toBe('subscription_cycle 0 PENDING 2026-04-02..2026-05-02');
    expect(subscription).toMatchObject({ status: 'active', nextChargeAt: null, cyclesCompleted: 1 });
    await passTime(simulator, IN_THE_WALLET_MS);
    expect(told(simulator).slice(2)).toEqual(['subscription.charge.succeeded → active']);
    expect(subscription).toMatchObject({
      currentPeriodStart: instantOf('2026-04-02T08:00:00Z'),
      currentPeriodEnd: instantOf('2026-05-02T08:00:00Z'),
      nextChargeAt: instantOf('2026-05-02T08:00:00Z'),
      cyclesCompleted: 2,
    });
  });

  test('falls on the last day of a short month and on the 31st afterwards, for a plan of the 31st', async () => {
    const { simulator, subscription } = await withActive({ startAt: '2026-01-31T09:00:00.000Z' });
    await passUntil(simulator, '2026-05-15T00:00:00Z');
    expect(chargesOf(simulator, subscription)).toEqual([
      'subscription_create 0 SUCCESS 2026-01-31..',
      'subscription_cycle 0 SUCCESS 2026-02-28..2026-03-31',
      'subscription_cycle 0 SUCCESS 2026-03-31..2026-04-30',
      'subscription_cycle 0 SUCCESS 2026-04-30..2026-05-31',
    ]);
  });

  test('is the last one when all payments of the plan are made', async () => {
    const { simulator, subscription } = await withActive({ body: { interval: 'day', max_cycles: 3 } });
    await passTime(simulator, 30 * DAY_MS);
    expect(told(simulator).slice(-3)).toEqual([
      'subscription.charge.succeeded → active',
      'subscription.charge.succeeded → active',
      'subscription.completed → canceled',
    ]);
    expect(subscription).toMatchObject({ cyclesCompleted: 3, cancellationReason: 'completed' });
    expect(subscription.charges).toHaveLength(3);
  });

  test('pays the next period when it is made early, and the following one keeps its day', async () => {
    const { simulator, subscription } = await withActive();
    renewNow(simulator.simulation, subscription.subscriptionId);
    await passTime(simulator, IN_THE_WALLET_MS);
    expect(chargesOf(simulator, subscription)[1]).toBe('subscription_cycle 0 SUCCESS 2026-04-02..2026-05-02');
    await passUntil(simulator, '2026-05-02T09:00:00Z');
    expect(chargesOf(simulator, subscription).slice(2)).toEqual([
      'subscription_cycle 0 SUCCESS 2026-05-02..2026-06-02',
    ]);
  });

  test('is refused while another one is pending', async () => {
    const { simulator, subscription } = await withActive();
    renewNow(simulator.simulation, subscription.subscriptionId);
    expect(() => renewNow(simulator.simulation, subscription.subscriptionId)).toThrow(AppError);
    expect(subscription.charges).toHaveLength(2);
  });
});

describe('A failed renewal', () => {
  test('makes the subscription past due until a retry of the period succeeds', async () => {
    const { simulator, subscription } = await withActive({ settings: QUICK });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 2);
    await passUntil(simulator, '2026-04-02T08:00:05Z');
    expect(subscription).toMatchObject({ status: 'past_due', nextChargeAt: instantOf('2026-04-02T08:10:05Z') });
    await passUntil(simulator, '2026-04-02T09:00:00Z');
    expect(told(simulator).slice(2)).toEqual([
      'subscription.charge.failed → past_due',
      'subscription.past_due → past_due',
      'subscription.charge.failed → past_due',
      'subscription.charge.succeeded → active',
      'subscription.reactivated → active',
    ]);
    expect(chargesOf(simulator, subscription).slice(1)).toEqual([
      'subscription_cycle 0 FAILURE 2026-04-02..2026-05-02',
      'subscription_retry 1 FAILURE 2026-04-02..2026-05-02',
      'subscription_retry 2 SUCCESS 2026-04-02..2026-05-02',
    ]);
    expect(subscription).toMatchObject({ cyclesCompleted: 2, nextChargeAt: instantOf('2026-05-02T08:00:00Z') });
  });

  test('leaves the subscription unpaid and stops the debits if every retry fails', async () => {
    const { simulator, subscription } = await withActive({ settings: QUICK });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 4);
    await passUntil(simulator, '2026-08-01T00:00:00Z');
    expect(told(simulator).slice(-2)).toEqual(['subscription.charge.failed → unpaid', 'subscription.unpaid → unpaid']);
    expect(subscription.charges.map(({ attempt }) => attempt)).toEqual([0, 0, 1, 2, 3]);
    expect(subscription).toMatchObject({ status: 'unpaid', nextChargeAt: null, canceledAt: null });
  });

  test('cancels the subscription if every retry fails and the settings request it', async () => {
    const { simulator, subscription } = await withActive({ settings: { ...QUICK, whenExhausted: 'canceled' } });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 4);
    await passUntil(simulator, '2026-08-01T00:00:00Z');
    expect(told(simulator).slice(-2)).toEqual([
      'subscription.charge.failed → canceled',
      'subscription.canceled → canceled',
    ]);
    expect(subscription).toMatchObject({
      cancellationInitiator: 'system',
      cancellationReason: 'dunning_exhausted',
      nextChargeAt: null,
    });
  });

  test('ends the subscription immediately if the settings have no retries', async () => {
    const { simulator, subscription } = await withActive({ settings: { retryAfterMinutes: [] } });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 1);
    await passUntil(simulator, '2026-04-03T00:00:00Z');
    expect(told(simulator).slice(2)).toEqual(['subscription.charge.failed → unpaid', 'subscription.unpaid → unpaid']);
  });

  test('happens for every renewal of the magic amount, although its first charge is paid', async () => {
    const { simulator, subscription } = await withActive({ body: { amount: 66_000_005 }, settings: QUICK });
    await passUntil(simulator, '2026-04-03T00:00:00Z');
    expect(subscription).toMatchObject({ status: 'unpaid', cyclesCompleted: 1 });
  });

  test('happens for every renewal at a failure rate of 100 %', async () => {
    const { simulator, subscription } = await withActive({ settings: { ...QUICK, failurePpm: 1_000_000 } });
    await passUntil(simulator, '2026-04-03T00:00:00Z');
    expect(subscription.status).toBe('unpaid');
  });

  test('is followed by debits of all periods that began meanwhile, in order, once a retry succeeds', async () => {
    const { simulator, subscription } = await withActive({ body: { interval: 'day' } });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 2);
    // Retries after one day and three more: the period of 3 March is paid on the 7th.
    await passUntil(simulator, '2026-03-07T08:01:00Z');
    expect(chargesOf(simulator, subscription).slice(1)).toEqual([
      'subscription_cycle 0 FAILURE 2026-03-03..2026-03-04',
      'subscription_retry 1 FAILURE 2026-03-03..2026-03-04',
      'subscription_retry 2 SUCCESS 2026-03-03..2026-03-04',
      'subscription_cycle 0 SUCCESS 2026-03-04..2026-03-05',
      'subscription_cycle 0 SUCCESS 2026-03-05..2026-03-06',
      'subscription_cycle 0 SUCCESS 2026-03-06..2026-03-07',
      'subscription_cycle 0 SUCCESS 2026-03-07..2026-03-08',
    ]);
    expect(subscription).toMatchObject({
      currentPeriodStart: instantOf('2026-03-07T08:00:00Z'),
      nextChargeAt: instantOf('2026-03-08T08:00:00Z'),
    });
  });

  test('is followed by no more debits than the plan has, once a retry succeeds', async () => {
    const { simulator, subscription } = await withActive({ body: { interval: 'day', max_cycles: 3 } });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 2);
    await passUntil(simulator, '2026-03-10T00:00:00Z');
    expect(told(simulator).at(-1)).toBe('subscription.completed → canceled');
    expect(chargesOf(simulator, subscription).slice(3)).toEqual([
      'subscription_retry 2 SUCCESS 2026-03-03..2026-03-04',
      'subscription_cycle 0 SUCCESS 2026-03-04..2026-03-05',
    ]);
  });

  test('is followed by no debit of later periods if the subscription ends with its period', async () => {
    const { simulator, subscription } = await withActive({ body: { interval: 'day' } });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 2);
    // The retry succeeded two seconds ago, and the debit for 4 March is in flight.
    await passUntil(simulator, '2026-03-07T08:00:17Z');
    cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator: 'customer', atPeriodEnd: true });
    await passUntil(simulator, '2026-03-10T00:00:00Z');
    expect(chargesOf(simulator, subscription).slice(3)).toEqual([
      'subscription_retry 2 SUCCESS 2026-03-03..2026-03-04',
      'subscription_cycle 0 SUCCESS 2026-03-04..2026-03-05',
    ]);
    expect(subscription).toMatchObject({ status: 'canceled', cancellationReason: 'at_period_end' });
  });

  test('reactivates the subscription and cancels its retry when it is paid late', async () => {
    const { simulator, subscription } = await withActive({ settings: QUICK });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 1);
    await passUntil(simulator, '2026-04-02T08:05:00Z');
    payPayment(simulator.simulation, subscription.charges[1]?.paymentId ?? '', { late: true });
    await passUntil(simulator, '2026-04-02T12:00:00Z');
    expect(told(simulator).slice(-2)).toEqual([
      'subscription.charge.succeeded → active',
      'subscription.reactivated → active',
    ]);
    expect(chargesOf(simulator, subscription).slice(1)).toEqual([
      'subscription_cycle 0 SUCCESS 2026-04-02..2026-05-02',
    ]);
  });

  test('is not retried a fifth time; a late payment reactivates the subscription', async () => {
    const { simulator, subscription } = await withActive({ settings: QUICK });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 4);
    await passUntil(simulator, '2026-04-10T00:00:00Z');
    expect(() => renewNow(simulator.simulation, subscription.subscriptionId)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    expect(subscription.charges.map(({ attempt }) => attempt)).toEqual([0, 0, 1, 2, 3]);
    payPayment(simulator.simulation, subscription.charges[4]?.paymentId ?? '', { late: true });
    await passTime(simulator, 0);
    expect(told(simulator).slice(-2)).toEqual([
      'subscription.charge.succeeded → active',
      'subscription.reactivated → active',
    ]);
    expect(subscription.nextChargeAt).toBe(instantOf('2026-05-02T08:00:00Z'));
  });
});

describe('A subscription under random events', () => {
  test('changes once when a payment fails and is paid at one instant', async () => {
    const { simulator, subscription } = withSubscription();
    const paymentId = subscription.charges[0]?.paymentId ?? '';
    failPayment(simulator.simulation, paymentId);
    payPayment(simulator.simulation, paymentId, { late: true });
    await passTime(simulator, 0);
    expect(told(simulator)).toEqual(['subscription.activated → active', 'subscription.charge.succeeded → active']);
  });

  test('is debited once for each period, even right after a payment', async () => {
    const { simulator, subscription } = await withActive();
    renewNow(simulator.simulation, subscription.subscriptionId);
    payPayment(simulator.simulation, subscription.charges[1]?.paymentId ?? '');
    expect(() => renewNow(simulator.simulation, subscription.subscriptionId)).toThrow(AppError);
    await passTime(simulator, DAY_MS);
    expect(subscription).toMatchObject({ cyclesCompleted: 2 });
    expect(subscription.charges).toHaveLength(2);
  });

  test('continues its renewals and retries in a saved world', async () => {
    const { simulator, subscription } = await withActive({ settings: QUICK });
    failNextRenewal(simulator.simulation, subscription.subscriptionId, 1);
    await passUntil(simulator, '2026-04-02T08:00:05Z');
    await simulator.load(JSON.parse(JSON.stringify(simulator.snapshot())));
    await passUntil(simulator, '2026-04-03T00:00:00Z');
    const [loaded] = Object.values(simulator.simulation.world.subscriptions.byId);
    expect(loaded).not.toBe(subscription);
    expect(loaded).toMatchObject({ status: 'active', cyclesCompleted: 2 });
  });

  test('pays every period once, and each success sends one event', async () => {
    const { simulator, subscription } = await withActive({
      body: { interval: 'week' },
      settings: { retryAfterMinutes: [600, 600, 600], failurePpm: 400_000, whenExhausted: 'unpaid' },
    });
    for (let day = 0; day < 200; day += 1) {
      await passTime(simulator, DAY_MS);
      if (subscription.status !== 'unpaid') continue;
      payPayment(simulator.simulation, subscription.charges.at(-1)?.paymentId ?? '', { late: true });
    }
    const paid = subscription.charges.filter(
      ({ paymentId }) => simulator.simulation.world.checkout.payments[paymentId]?.status === 'SUCCESS',
    );
    expect(paid.map(({ period }) => period)).toEqual(paid.map((_, index) => index));
    expect(told(simulator).filter((line) => line.startsWith('subscription.charge.succeeded'))).toHaveLength(
      paid.length,
    );
    expect(paid).toHaveLength(subscription.cyclesCompleted);
    // The run was worth something: some failed, many were paid.
    expect(paid.length).toBeGreaterThan(10);
    expect(subscription.charges.length).toBeGreaterThan(paid.length);
  });

  test('has the same trace for the same seed', async () => {
    const run = async (): Promise<string> => {
      const { simulator, subscription } = await withActive({
        body: { interval: 'day' },
        settings: { ...QUICK, failurePpm: 300_000 },
      });
      await passTime(simulator, 20 * DAY_MS + MINUTE_MS);
      if (subscription.status === 'active') {
        cancelSubscription(simulator.simulation, subscription.subscriptionId, { initiator: 'merchant' });
      }
      return JSON.stringify(simulator.snapshot());
    };
    expect(await run()).toBe(await run());
  });
});
