import { monotonicClock } from '../../kernel';
import type { CallBudget } from '../budget/call-budget';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import { type ExistingSubscription, GatewayError, isGatewayError } from '../gateway-error';
import type { Operation } from '../operation';
import { existingOf, hideKeys } from './existing-subscription';
import type { Subscription } from './subscription';

const AMOUNT_MIN_MILLIMES = 100;
const CYCLE_MAX = { day: 366, week: 52, month: 12, year: 1 } as const;
const SESSION_TIMEOUT_SECS = { min: 1_200, max: 7_200 } as const;
const CYCLES_MAX = 2_147_483_647;

/** The terms of a subscription (interface section 4.2). The client sends only the fields that are set. */
export interface CreateSubscription {
  /** The amount of each charge, at least 100 millimes. */
  readonly amountMillimes: number;
  readonly interval: 'day' | 'week' | 'month' | 'year';
  /** Interval units per cycle, at most a year; the gateway's default is 1. */
  readonly intervalCount?: number | undefined;
  /** At most 50 characters. */
  readonly name: string;
  /** At most 200 characters. */
  readonly description?: string | undefined;
  /** 1 to 50 characters, unique for the merchant. This key makes a repeated creation safe. */
  readonly developerTrackingId: string;
  readonly successLink: string;
  readonly failLink: string;
  readonly webhook?: string | undefined;
  /** How long the first charge may take, 1200 to 7200 seconds; the gateway's default is 1200. */
  readonly sessionTimeout?: number | undefined;
  /** At most 255 characters. */
  readonly clientId?: string | undefined;
  /** Number of payments, including the first; without it the subscription has no end. */
  readonly maxCycles?: number | undefined;
  readonly acceptCard?: boolean | undefined;
  /** The gateway's default and only currency. */
  readonly currency?: 'TND' | undefined;
}

export interface CreatedSubscription {
  readonly subscriptionId: string;
  /** The first charge; null for a duplicate that is no longer `incomplete`. */
  readonly paymentId: string | null;
  /** Where to send the customer; null for a duplicate that is no longer `incomplete` (open point 59). */
  readonly link: string | null;
  readonly status: string;
  readonly developerTrackingId: string;
  /** `true`: the subscription existed already, with the same terms. */
  readonly duplicate: boolean;
  readonly raw: unknown;
}

interface CreateDeps {
  readonly caller: Caller;
  readonly budget: CallBudget;
  readonly retrieve: (subscriptionId: string, options: { readonly timeoutMs: number }) => Promise<Subscription>;
  /** The time of the whole call, including the comparison with an existing subscription. */
  readonly timeoutMs: number;
}

export async function createSubscription(
  { caller, budget, retrieve, timeoutMs }: CreateDeps,
  given: CreateSubscription,
): Promise<CreatedSubscription> {
  const startedAt = monotonicClock.now();
  const input = copyInput(createOperation.name, given);
  const answer = await caller.run(createOperation, input, {
    beforeEachRequest: (leftMs) => budget.takeCreation(createOperation.name, { timeoutMs: leftMs }),
  });
  if (answer.kind === 'created') return answer.subscription;
  const readExisting = (): Promise<Subscription> =>
    retrieve(answer.existing.subscriptionId, { timeoutMs: timeoutMs - (monotonicClock.now() - startedAt) });
  const hide = (text: string): string => caller.hide(createOperation, input, text);
  return compareWithExisting(readExisting, input, { ...answer, existing: hideKeys(answer.existing, hide) });
}

type CreateAnswer =
  | { readonly kind: 'created'; readonly subscription: CreatedSubscription }
  | { readonly kind: 'taken'; readonly existing: ExistingSubscription; readonly refusal: GatewayError };

/**
 * Compares the terms with those of the existing subscription. Interface section 4.2 treats 409 as success for a
 * retrying caller; Millime does so only if the terms are equal.
 */
async function compareWithExisting(
  readExisting: () => Promise<Subscription>,
  input: CreateSubscription,
  { existing, refusal: { operation, httpStatus, gatewayCode } }: Extract<CreateAnswer, { kind: 'taken' }>,
): Promise<CreatedSubscription> {
  const details = { operation, httpStatus, gatewayCode, existing };
  const subscription = await readExisting().catch((error: unknown) => {
    if (!isGatewayError(error)) throw error;
    const text = 'the tracking id is taken, and the existing subscription could not be read';
    throw new GatewayError('duplicate_tracking_id', text, { ...details, cause: error });
  });
  const different = differingTerms(input, subscription);
  if (different.length > 0) {
    const fields = Object.fromEntries(different.map((name) => [name, ['differs from the existing subscription']]));
    const text = `the tracking id belongs to a subscription with other terms: ${different.join(', ')}`;
    throw new GatewayError('conflict', text, { ...details, fields });
  }
  // Only an incomplete subscription has a first charge to pay. The ids in the refusal are then usable too (open point
  // 59).
  const { paymentId, link } = subscription.status === 'incomplete' ? existing : {};
  return {
    subscriptionId: subscription.subscriptionId,
    paymentId: subscription.paymentId ?? paymentId ?? null,
    link: subscription.checkoutUrl ?? link ?? null,
    status: subscription.status,
    developerTrackingId: subscription.developerTrackingId,
    duplicate: true,
    raw: subscription.raw,
  };
}

/** Returns which terms differ: those that make it the same promise to the customer (open point 58), and the id. */
function differingTerms(input: CreateSubscription, existing: Subscription): readonly string[] {
  const pairs: readonly (readonly [name: string, ours: unknown, theirs: unknown])[] = [
    ['amountMillimes', input.amountMillimes, existing.amountMillimes],
    ['interval', input.interval, existing.interval],
    ['intervalCount', input.intervalCount ?? 1, existing.intervalCount],
    ['clientId', input.clientId ?? null, existing.clientId === '' ? null : existing.clientId],
    ['maxCycles', input.maxCycles ?? null, existing.maxCycles],
    ['developerTrackingId', input.developerTrackingId, existing.developerTrackingId],
  ];
  return pairs.filter(([, ours, theirs]) => ours !== theirs).map(([name]) => name);
}

export const createOperation: Operation<CreateSubscription, CreateAnswer> = {
  name: 'subscriptions.create',
  safety: 'B',
  auth: 'app',
  request(input) {
    const check = new InputCheck(input);
    const body = bodyOf(check);
    check.done();
    return { method: 'POST', path: '/api/v2/subscriptions', body };
  },
  decodeRefusal(refusal, raw) {
    if (refusal.code !== 'duplicate_tracking_id') return undefined;
    const existing = existingOf(raw);
    return existing === undefined ? undefined : { kind: 'taken', existing, refusal };
  },
  decode(body, { developerTrackingId }) {
    const result = body.object('result');
    const named = result.textOrNull('developer_tracking_id');
    if (named !== null && named !== developerTrackingId) {
      throw result.fault('developer_tracking_id', 'differs from the request');
    }
    const subscription: CreatedSubscription = {
      subscriptionId: result.text('subscription_id'),
      paymentId: result.text('payment_id'),
      link: result.link('link'),
      status: result.text('status'),
      developerTrackingId,
      duplicate: false,
      raw: body.raw,
    };
    return { kind: 'created', subscription };
  },
};

function bodyOf(check: InputCheck): Readonly<Record<string, unknown>> {
  const interval = check.oneOf('interval', ['day', 'week', 'month', 'year']);
  return {
    amount: check.amount('amountMillimes', AMOUNT_MIN_MILLIMES),
    interval,
    ...check.given('intervalCount', 'interval_count', (name) => check.whole(name, 1, CYCLE_MAX[interval])),
    name: check.text('name', { max: 50 }),
    ...check.given('description', 'description', (name) => check.possiblyEmptyText(name, { max: 200 })),
    developer_tracking_id: check.text('developerTrackingId', { max: 50 }),
    success_link: check.link('successLink'),
    fail_link: check.link('failLink'),
    ...check.given('webhook', 'webhook', (name) => check.link(name)),
    ...check.given('sessionTimeout', 'session_timeout', (name) =>
      check.whole(name, SESSION_TIMEOUT_SECS.min, SESSION_TIMEOUT_SECS.max),
    ),
    ...check.given('clientId', 'client_id', (name) => check.text(name, { max: 255 })),
    ...check.given('maxCycles', 'max_cycles', (name) => check.whole(name, 1, CYCLES_MAX)),
    ...check.given('acceptCard', 'accept_card', (name) => check.flag(name)),
    ...check.given('currency', 'currency', (name) => check.oneOf(name, ['TND'])),
  };
}
