import type { Millimes } from '../../kernel';
import type { ReadBody } from '../codec/read-body';
import { type Charge, decodeCharge } from './charge';

/** A subscription as Get Subscription returns it (interface section 2.4). Timestamps are UTC ISO 8601. */
export interface Subscription {
  readonly subscriptionId: string;
  /** `incomplete`, `incomplete_expired`, `active`, `past_due`, `unpaid`, `canceled`; the gateway may add words. */
  readonly status: string;
  readonly paymentMethod: string;
  /** The amount of each charge. */
  readonly amountMillimes: Millimes;
  /** Always `TND`; a subscription in another currency is `unexpected_shape`. */
  readonly currency: string;
  readonly interval: string;
  readonly intervalCount: number;
  readonly name: string;
  /** Empty when the subscription has none. */
  readonly description: string;
  readonly clientId: string | null;
  readonly developerTrackingId: string;
  readonly isTest: boolean;
  readonly createdAt: string | null;
  /** When the first charge was paid. */
  readonly activatedAt: string | null;
  readonly currentPeriodStart: string | null;
  /** Exclusive. */
  readonly currentPeriodEnd: string | null;
  readonly nextChargeAt: string | null;
  readonly cyclesCompleted: number;
  readonly maxCycles: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAt: string | null;
  readonly cancellationInitiator: string | null;
  readonly cancellationReason: string | null;
  readonly latestCharge: Charge | null;
  /** Only while `incomplete`: the id of the first charge, and the address where it is paid. */
  readonly paymentId?: string;
  readonly checkoutUrl?: string;
  /** The names of timestamps without an offset, which were read in the configured time zone. */
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

export function decodeSubscription(result: ReadBody, raw: unknown): Subscription {
  const paymentId = result.textOrNull('payment_id');
  const checkoutUrl = result.linkOrNull('checkout_url');
  const latest = result.value('latest_charge');
  const times = {
    createdAt: result.time('created_at', 'createdAt'),
    activatedAt: result.time('activated_at', 'activatedAt'),
    currentPeriodStart: result.time('current_period_start', 'currentPeriodStart'),
    currentPeriodEnd: result.time('current_period_end', 'currentPeriodEnd'),
    nextChargeAt: result.time('next_charge_at', 'nextChargeAt'),
    canceledAt: result.time('canceled_at', 'canceledAt'),
  };
  return {
    subscriptionId: result.text('subscription_id'),
    status: result.text('status'),
    paymentMethod: result.textOrNull('payment_method') ?? 'service',
    amountMillimes: result.millimes('amount'),
    currency: result.currency('currency'),
    interval: result.text('interval'),
    intervalCount: result.whole('interval_count'),
    name: result.textOrNull('name') ?? '',
    description: result.textOrNull('description') ?? '',
    clientId: result.textOrNull('client_id'),
    developerTrackingId: result.text('developer_tracking_id'),
    isTest: result.flag('is_test'),
    ...times,
    cyclesCompleted: result.whole('cycles_completed'),
    maxCycles: result.wholeOrNull('max_cycles'),
    cancelAtPeriodEnd: result.flag('cancel_at_period_end'),
    cancellationInitiator: result.textOrNull('cancellation_initiator'),
    cancellationReason: result.textOrNull('cancellation_reason'),
    latestCharge: latest === undefined || latest === null ? null : decodeCharge(result.object('latest_charge')),
    ...(paymentId === null ? {} : { paymentId }),
    ...(checkoutUrl === null ? {} : { checkoutUrl }),
    ...result.assumedOffset(),
    raw,
  };
}
