import type { Database } from '../../../src/db';
import { businessCalendar, type Clock, type Instant, WorkingDays } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { observeChannel } from '../../../src/payment-channels';
import {
  createPayments,
  type Payment,
  type Payments,
  type PaymentsDeps,
  type PaymentWebhookEvent,
} from '../../../src/payments';
import { processWebhookEvents, type WebhookEventOutcome } from '../../../src/payments/testing';
import { createSubscriptions, type Subscriptions } from '../../../src/subscriptions';
import { aPayment } from '../../support/factories/a-payment';

type StatusCheck = Awaited<ReturnType<Payments['checkStatus']>>;

/** Payments that are known by name, and a gateway that says what it is told to say. */
export interface KnownPayments {
  readonly payments: Payments;
  readonly subscriptions: Subscriptions;
  /** Our tracking ids by the gateway's. */
  readonly trackingIds: Map<string, string>;
  /** The amount of each, by our tracking id; events with another one are a mismatch. */
  readonly amounts: Map<string, number>;
  readonly subscriptionIds: Set<string>;
  /** What was asked of the gateway, in order, by our tracking id. */
  readonly asked: string[];
  readonly event: PaymentWebhookEvent[];
  readonly mismatches: Set<string>;
  readonly hints: string[];
  /** What the next status checks answer instead of asking. */
  readonly answers: (StatusCheck | Error)[];
  /** Whether no subscription can be asked about at all. */
  subscriptionsAreSilent: boolean;
  /** Runs inside the next status check, while the entry is claimed. */
  whileChecking: () => Promise<void>;
}

export function knownPayments(database: Database, clock: Clock): KnownPayments {
  const deps: PaymentsDeps = {
    database,
    observeChannel,
    clock,
    calendar: businessCalendar('Africa/Tunis'),
    workingDays: new WorkingDays([]),
    logger: silentLogger,
    gateway: undefined,
    settings: {
      publicUrl: undefined,
      hintToken: undefined,
      successLink: undefined,
      failLink: undefined,
      isTest: false,
      merchantId: undefined,
    },
  };
  const lastAnswer = new Map<string, Instant>();
  const applyWebhookEvent = async (event: PaymentWebhookEvent): Promise<WebhookEventOutcome> => {
    known.event.push(event);
    const { gatewayId, amount } = event;
    const trackingId = event.trackingId ?? known.trackingIds.get(gatewayId ?? '');
    const ours = trackingId === undefined ? undefined : known.amounts.get(trackingId);
    if (trackingId === undefined || ours === undefined) return { kind: 'unknown_payment' };
    const mismatch = amount !== undefined && amount !== ours;
    if (mismatch) known.mismatches.add(trackingId);
    return { kind: 'known', trackingId, mismatch };
  };
  const checkStatus: Payments['checkStatus'] = async (trackingId, { notBefore } = {}) => {
    await known.whileChecking();
    const answer = known.answers.shift();
    if (answer instanceof Error) throw answer;
    if (answer !== undefined) return answer;
    if ((lastAnswer.get(trackingId) ?? -1) < (notBefore ?? clock.now())) {
      known.asked.push(trackingId);
      lastAnswer.set(trackingId, clock.now());
    }
    return { kind: 'looked', payment: checkedAt(trackingId, clock.now()) };
  };
  const known: KnownPayments = {
    trackingIds: new Map(),
    amounts: new Map(),
    subscriptionIds: new Set(),
    asked: [],
    event: [],
    mismatches: new Set(),
    hints: [],
    answers: [],
    subscriptionsAreSilent: false,
    whileChecking: async () => {},
    payments: {
      ...createPayments(deps),
      processWebhookEvents: (events, options) =>
        processWebhookEvents({ applyWebhookEvent, checkStatus }, events, options),
      checkStatus,
      async hint(kind) {
        known.hints.push(kind);
        return 1;
      },
    },
    subscriptions: {
      ...createSubscriptions(deps),
      async applyWebhookEvent({ subscriptionId, paymentId }) {
        const trackingId = subscriptionId ?? paymentId;
        if (trackingId === undefined || !known.subscriptionIds.has(trackingId)) return { kind: 'unknown_subscription' };
        return { kind: 'known', trackingId, mismatch: false };
      },
      async checkStatus(trackingId) {
        known.asked.push(trackingId);
        return { kind: 'later', retryAfterMs: 30_000, affectsAll: known.subscriptionsAreSilent, reason: 'busy' };
      },
    },
  };
  return known;
}

function checkedAt(trackingId: string, now: Instant): Payment {
  return aPayment({
    trackingId,
    gatewayId: undefined,
    status: 'SUCCESS',
    requestedAt: now,
    lastCheckAt: now,
    checks: 1,
  });
}
