import { formatInstant } from '../../../../../src/kernel';
import { payPayment } from '../../../../../src/simulator/testing';
import type { SubscriptionMirror } from '../../../../../src/subscriptions';
import { BY_TEST } from '../../../../support/factories';
import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

const REQUEST = { amountMillimes: 30_000, interval: 'month', name: 'Gold' } as const;

async function aSubscription({ millime }: Api, reference?: string): Promise<SubscriptionMirror> {
  const made = await millime.subscriptions.create({ ...REQUEST, reference }, BY_TEST);
  if (made.kind !== 'created') throw new Error(`the subscription ended ${made.kind}`);
  return made.subscription;
}

/** Creates a subscription whose first charge is paid, and checks it. */
export async function anActiveSubscription(api: Api, reference?: string): Promise<SubscriptionMirror> {
  const { trackingId, firstPaymentId = '' } = await aSubscription(api, reference);
  payPayment(api.gateway.simulator.simulation, firstPaymentId);
  await api.millime.subscriptions.checkStatus(trackingId);
  return (await api.millime.subscriptions.show(trackingId)).subscription;
}

const PLAN_COLUMNS =
  'reference,amount_millimes,interval,interval_count,name,description,agent_id,client_id,max_cycles,' +
  'session_timeout_secs,success_link,fail_link';

const plan = (...references: readonly string[]): Buffer =>
  Buffer.from([PLAN_COLUMNS, ...references.map((each) => `${each},30000,month,,Gold,,,,,,,`), ''].join('\n'));

/** Lets the gateway charge a subscription again, and checks it. */
async function renew(api: Api, { trackingId, subscriptionId = '' }: SubscriptionMirror): Promise<void> {
  const path = `/_simulator/subscriptions/${subscriptionId}/renew`;
  const answer = await fetch(`${api.gateway.baseUrl}${path}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`the simulator answers ${answer.status}: ${await answer.text()}`);
  api.setClock(formatInstant(api.millime.clock.now() + 60_000));
  await api.millime.subscriptions.checkStatus(trackingId);
}

export const SUBSCRIPTION_SCENARIOS: Scenarios = {
  async listSubscriptions(api) {
    await aSubscription(api, 'SUB-1');
    await aSubscription(api, 'SUB-2');
    return { call: {} };
  },
  async listCharges(api) {
    const active = await anActiveSubscription(api);
    await renew(api, active);
    return { call: { params: { id: active.trackingId } } };
  },
  async showSubscription(api) {
    const { trackingId } = await anActiveSubscription(api);
    return { call: { params: { id: trackingId } } };
  },
  async createSubscription(api) {
    return {
      call: { body: REQUEST },
      other: { body: { ...REQUEST, name: 'Silver' } },
      effect: () => audited(api, 'subscription.requested'),
    };
  },
  async importSubscriptionPlan(api) {
    return {
      call: { body: plan('SUB-1', 'SUB-2') },
      other: { body: plan('SUB-3') },
      effect: () => audited(api, 'subscriptions.planned'),
    };
  },
  async verifySubscription(api) {
    const { trackingId } = await aSubscription(api);
    return {
      call: { params: { id: trackingId } },
      other: { params: { id: 'another' } },
      effect: async () => (await api.millime.subscriptions.show(trackingId)).subscription.checks,
    };
  },
};
