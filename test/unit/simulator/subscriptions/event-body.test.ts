// Goal: the bodies of all events have the fields and the JSON types of interface section 6.4.
// Method: each literal example beside the simulator's body for the same event.
import { expect, test } from '@jest/globals';
import {
  subscriptionEventBody,
  type SubscriptionEventName,
} from '../../../../src/simulator/subscriptions/notify-subscription';
import { jsonShapeOf } from '../../../support/a-simulator';
import { webhookExamples } from '../../../support/interface-examples';
import { passUntil, withActive } from './a-subscription';

const examples = webhookExamples().filter((example) => example.kind === 'subscription');

const eventOf = async (event: SubscriptionEventName, charge: 'none' | 'first' | 'renewal'): Promise<unknown> => {
  const { simulator, subscription } = await withActive();
  await passUntil(simulator, '2026-04-02T08:00:05Z');
  const about = { none: null, first: subscription.charges[0], renewal: subscription.charges[1] }[charge] ?? null;
  return subscriptionEventBody(simulator.simulation, subscription, event, about);
};

/** Which charge each event is about; of a cancellation, when no charge caused it. */
const CAUSES: Readonly<Record<SubscriptionEventName, 'none' | 'first' | 'renewal'>> = {
  'subscription.activated': 'first',
  'subscription.incomplete_expired': 'first',
  'subscription.charge.succeeded': 'renewal',
  'subscription.charge.failed': 'renewal',
  'subscription.past_due': 'renewal',
  'subscription.reactivated': 'renewal',
  'subscription.unpaid': 'renewal',
  'subscription.canceled': 'none',
  'subscription.completed': 'renewal',
  'subscription.updated': 'none',
};

test('every event has a literal example', () => {
  expect(examples.map(({ name }) => name).toSorted()).toEqual(Object.keys(CAUSES).toSorted());
});

test.each(Object.entries(CAUSES) as [SubscriptionEventName, 'none' | 'first' | 'renewal'][])(
  '%s has the shape of its example',
  async (event, charge) => {
    const example = examples.find(({ name }) => name === event);
    expect(jsonShapeOf(await eventOf(event, charge))).toEqual(
      jsonShapeOf(example?.kind === 'subscription' ? example.body : undefined),
    );
  },
);

test('a renewal states its period, and the time of its event in local time', async () => {
  expect(await eventOf('subscription.charge.succeeded', 'renewal')).toEqual({
    event: 'subscription.charge.succeeded',
    event_id: expect.stringMatching(/^evt_./),
    created: '2026-04-02T09:00:05.000+01:00',
    subscription_id: expect.stringMatching(/^sub_./),
    payment_id: expect.stringMatching(/./),
    status: 'active',
    developer_tracking_id: 'plan-1',
    amount: 30_000,
    currency: 'TND',
    period_start: '2026-04-02',
    period_end: '2026-05-02',
    attempt: 0,
    payment_method: 'service',
  });
});

test('no two events share an id', async () => {
  const { simulator, subscription } = await withActive();
  const ids = Array.from({ length: 50 }, () => {
    return subscriptionEventBody(simulator.simulation, subscription, 'subscription.updated', null)['event_id'];
  });
  expect(new Set(ids).size).toBe(50);
});
