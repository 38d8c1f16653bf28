import { z } from 'zod';
import { formatInstant } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { knownSubscription } from '../subscriptions/find-subscription';
import {
  cancelSubscription,
  closeCustomerWallet,
  failNextRenewal,
  renewNow,
} from '../subscriptions/steer-subscription';
import type { SimSubscription } from '../subscriptions/subscription-state';
import { type ControlAnswer, type ControlRequest, type ControlRoute, instantOrNull, json } from './control-route';
import { pathPart, readBody, readNothing } from './read-request';

const cancelBody = z.strictObject({
  initiator: z.enum(['merchant', 'customer', 'system']).default('merchant'),
  atPeriodEnd: z.boolean().default(false),
});
const failBody = z.strictObject({ times: z.int().default(1) });

export const subscriptionControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/subscriptions',
    does: 'lists subscriptions, oldest first',
    answer: ({ simulation }) =>
      json({ subscriptions: Object.values(simulation.world.subscriptions.byId).map(subscriptionView) }),
  },
  {
    method: 'GET',
    path: '/subscriptions/:subscriptionId',
    does: 'returns one subscription with its charges',
    answer: ({ simulation }, request) => viewOf(simulation, request),
  },
  {
    method: 'POST',
    path: '/subscriptions/:subscriptionId/cancel',
    takes: '`initiator`: `merchant` (default), `customer`, `system`; `atPeriodEnd`',
    does: 'cancels it, immediately or with the paid period',
    answer({ simulation }, request) {
      cancelSubscription(simulation, idOf(request), readBody(cancelBody, request));
      return viewOf(simulation, request);
    },
  },
  {
    method: 'POST',
    path: '/subscriptions/:subscriptionId/close-wallet',
    does: 'closes the debited wallet as the customer',
    answer({ simulation }, request) {
      readNothing(request);
      closeCustomerWallet(simulation, idOf(request));
      return viewOf(simulation, request);
    },
  },
  {
    method: 'POST',
    path: '/subscriptions/:subscriptionId/fail-next-renewal',
    takes: '`times` (1); 0 removes the order',
    does: 'fails the next debits, retries included',
    answer({ simulation }, request) {
      failNextRenewal(simulation, idOf(request), readBody(failBody, request).times);
      return viewOf(simulation, request);
    },
  },
  {
    method: 'POST',
    path: '/subscriptions/:subscriptionId/renew',
    does: 'makes the next debit now, a renewal or a retry; an `unpaid` one has none (pay its last charge `late`)',
    answer({ simulation }, request) {
      readNothing(request);
      renewNow(simulation, idOf(request));
      return viewOf(simulation, request);
    },
  },
];

function idOf(request: ControlRequest): string {
  return pathPart(request, 'subscriptionId');
}

function viewOf(simulation: Simulation, request: ControlRequest): ControlAnswer {
  return json(subscriptionView(knownSubscription(simulation, idOf(request))));
}

function subscriptionView(subscription: SimSubscription): unknown {
  const { createdAt, activatedAt, currentPeriodStart, currentPeriodEnd, nextChargeAt, canceledAt } = subscription;
  return {
    ...subscription,
    createdAt: formatInstant(createdAt),
    activatedAt: instantOrNull(activatedAt),
    currentPeriodStart: instantOrNull(currentPeriodStart),
    currentPeriodEnd: instantOrNull(currentPeriodEnd),
    nextChargeAt: instantOrNull(nextChargeAt),
    canceledAt: instantOrNull(canceledAt),
    charges: subscription.charges.map((charge) => ({ ...charge, createdAt: formatInstant(charge.createdAt) })),
  };
}
