import type { Instant } from '../kernel';
import type { Payments, PaymentWebhookEvent } from '../payments';
import type { Subscriptions } from '../subscriptions';
import { decodeStored } from './decode-stored';
import type { EntryClaim } from './inbox-claim-store';
import { REOPENED_FOR } from './inbox-store';
import type { SignedFamily } from './read-webhook';
import type { WebhookFacts } from './webhook-facts';
import type { InboxEntry } from './webhooks';

/** The result of processing an entry. */
export type Handled =
  | { readonly kind: 'done' | 'ignored'; readonly outcome: string }
  /** No payment or subscription is known for it yet. */
  | { readonly kind: 'parked' }
  /** The gateway did not answer; `silent` names the kind of question that it answers to no one now. */
  | { readonly kind: 'later'; readonly retryAfterMs: number; readonly silent: Question | undefined };

/** The gateway answers each kind of question separately: while it refuses subscriptions, payments continue. */
export type Question = 'payments' | 'subscriptions';

/** The kinds of questions that the gateway does not answer in this run, and how long to wait. */
export type Silences = ReadonlyMap<Question, number>;

export interface HandleDeps {
  readonly payments: Payments;
  readonly subscriptions: Subscriptions;
  readonly keys: readonly string[];
  readonly timeZone: string;
}

/**
 * Passes the facts of an entry to the module that owns them, which checks the status. It does not change the entry, and
 * may run any number of times.
 */
export async function handleEntry(
  deps: HandleDeps,
  { entry, contents }: EntryClaim,
  silences: Silences = new Map(),
): Promise<Handled> {
  const { family, receivedAt } = entry;
  if (family === 'hint') return handleHint(deps, entry);
  const known = contents
    .map(({ content, facts }) => facts ?? decodeStored(family, content, { ...deps, receivedAt }))
    .filter(({ isKnown }) => isKnown);
  if (known.length === 0) return { kind: 'ignored', outcome: 'unknown_event' };
  const isUnreadable = known.every(({ unreadable }) => unreadable.length > 0);
  const outcome = isUnreadable ? 'unreadable_field' : 'unusable_id';
  // An id that no column can contain never belongs to a payment of Millime, so the entry need not wait for one.
  if (!known.some(namesSomething)) return { kind: 'ignored', outcome };
  const isStale = entry.proof === 'stale';
  const reported = known.map((facts) => (isStale || facts.unreadable.length > 0 ? idsAlone(facts) : facts));
  const handled = await handleSigned({ ...deps, silences }, family, reported, entry);
  const isDone = handled.kind === 'done' && handled.outcome !== 'mismatch';
  return isUnreadable && isDone ? { ...handled, outcome } : handled;
}

function namesSomething({ paymentId, subscriptionId, trackingId }: WebhookFacts): boolean {
  return paymentId !== undefined || subscriptionId !== undefined || trackingId !== undefined;
}

async function handleHint({ payments }: HandleDeps, { event, receivedAt }: InboxEntry): Promise<Handled> {
  // The interface defines no payload for payouts: the hint is stored as a time bound, never as a fact (open point 130).
  if (event === 'payout') return { kind: 'ignored', outcome: 'kept' };
  await payments.hint(event === 'pos' ? 'pos' : 'wallet', receivedAt);
  return { kind: 'done', outcome: 'looks_planned' };
}

async function handleSigned(
  { payments, subscriptions, silences }: HandleDeps & { readonly silences: Silences },
  family: SignedFamily,
  reported: readonly WebhookFacts[],
  entry: InboxEntry,
): Promise<Handled> {
  const options = { notBefore: checkNotBefore(entry) };
  if (family !== 'subscription') {
    const events = reported.map((facts) => paymentEvent(facts, entry.receivedAt));
    const outcome = await payments.processWebhookEvents(events, options);
    if (outcome.kind === 'known') return handledOf(outcome.check, 'payments', outcome.mismatch);
  }
  // A charge of a subscription is also a payment, so a payment webhook may report it.
  const found = await applyToSubscription(subscriptions, reported, entry.receivedAt);
  if (found === undefined) return { kind: 'parked' };
  const silentMs = silences.get('subscriptions');
  if (silentMs !== undefined) return { kind: 'later', retryAfterMs: silentMs, silent: 'subscriptions' };
  return handledOf(await subscriptions.checkStatus(found.trackingId, options), 'subscriptions', found.mismatch);
}

function paymentEvent(
  { paymentId, trackingId, succeeded, occurredAt, amount, currency }: WebhookFacts,
  receivedAt: Instant,
): PaymentWebhookEvent {
  return { gatewayId: paymentId, trackingId, succeeded, occurredAt, amount, currency, receivedAt };
}

/** Applies all facts; undefined when none of them names a known subscription. */
async function applyToSubscription(
  subscriptions: Subscriptions,
  reported: readonly WebhookFacts[],
  receivedAt: Instant,
): Promise<{ readonly trackingId: string; readonly mismatch: boolean } | undefined> {
  let found: { readonly trackingId: string; readonly mismatch: boolean } | undefined;
  for (const { subscriptionId, trackingId, paymentId, amount, currency } of reported) {
    const event = { subscriptionId, trackingId, paymentId, amount, currency, receivedAt };
    const outcome = await subscriptions.applyWebhookEvent(event);
    if (outcome.kind !== 'known') continue;
    found = {
      trackingId: found?.trackingId ?? outcome.trackingId,
      mismatch: outcome.mismatch || found?.mismatch === true,
    };
  }
  return found;
}

type StatusCheck = Awaited<ReturnType<Payments['checkStatus'] | Subscriptions['checkStatus']>>;

function handledOf(checked: StatusCheck, question: Question, mismatch: boolean): Handled {
  if (checked.kind === 'later') {
    const silent = 'affectsAll' in checked && checked.affectsAll ? question : undefined;
    return { kind: 'later', retryAfterMs: checked.retryAfterMs, silent };
  }
  return { kind: 'done', outcome: mismatch ? 'mismatch' : checked.kind };
}

/**
 * Returns the earliest status check that covers the entry: any since it arrived. A replay and a conflict need one after
 * themselves.
 */
function checkNotBefore({ outcome, receivedAt, availableAt }: InboxEntry): Instant {
  return REOPENED_FOR.some((reason) => reason === outcome) ? availableAt : receivedAt;
}

/** Keeps only the ids of a stale or partly unreadable webhook; its other facts are not used (open point 107). */
function idsAlone(facts: WebhookFacts): WebhookFacts {
  return { ...facts, succeeded: false, occurredAt: undefined, amount: undefined, currency: undefined };
}
