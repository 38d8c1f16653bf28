import type { Instant } from '../kernel';
import { isProvisional, type Payments } from '../payments';
import type { Subscriptions } from '../subscriptions';
import type { EntryClaim } from './inbox-claim-store';
import { REOPENED_FOR } from './inbox-store';
import { readKept, type SignedFamily, type WebhookFacts } from './read-webhook';
import type { InboxEntry } from './webhooks';

/** What processing an entry came to. */
export type Handled =
  | { readonly kind: 'done' | 'ignored'; readonly outcome: string }
  /** Nobody knows its payment yet. */
  | { readonly kind: 'parked' }
  /** The gateway could not be asked; `silent` is what it would tell nobody of now. */
  | { readonly kind: 'later'; readonly retryAfterMs: number; readonly silent: Question | undefined };

/** The gateway answers the one and the other by itself: where it is silent about subscriptions, payments go on. */
export type Question = 'payments' | 'subscriptions';

/** What the gateway is silent about in this run, and for how long. */
export type Silences = ReadonlyMap<Question, number>;

export interface HandleDeps {
  readonly payments: Payments;
  readonly subscriptions: Subscriptions;
  readonly keys: readonly string[];
  readonly timeZone: string;
}

/**
 * Does what an entry asks for: passes its event on, and checks the status. Changes nothing of the entry, and may run
 * any number of times.
 */
export async function handleEntry(
  deps: HandleDeps,
  { entry, conflicting }: EntryClaim,
  silences: Silences = new Map(),
): Promise<Handled> {
  const { family, receivedAt } = entry;
  if (family === 'hint') return handleHint(deps, entry);
  const read = (content: Buffer): WebhookFacts =>
    readKept(family, content, { keys: deps.keys, now: receivedAt, timeZone: deps.timeZone });
  const known = [entry.content, ...conflicting].map(read).filter(({ isKnown }) => isKnown);
  if (known.length === 0) return { kind: 'ignored', outcome: 'unknown_event' };
  const isUnreadable = known.every(({ unreadable }) => unreadable.length > 0);
  const outcome = isUnreadable ? 'unreadable_field' : 'unusable_id';
  // An id that no column holds is none of ours, today or ever: there is nothing to wait for.
  if (!known.some(namesSomething)) return { kind: 'ignored', outcome };
  const isStale = entry.proof === 'stale';
  const said = known.map((facts) => (isStale || facts.unreadable.length > 0 ? idsAlone(facts) : facts));
  const handled = await handleSigned({ ...deps, silences }, family, said, entry);
  const isDone = handled.kind === 'done' && handled.outcome !== 'mismatch';
  return isUnreadable && isDone ? { ...handled, outcome } : handled;
}

function namesSomething({ paymentId, subscriptionId, trackingId }: WebhookFacts): boolean {
  return paymentId !== undefined || subscriptionId !== undefined || trackingId !== undefined;
}

async function handleHint({ payments }: HandleDeps, { event, receivedAt }: InboxEntry): Promise<Handled> {
  // The payout's has no payload in the interface: it is kept as a soft bound, and is never a fact (open point 130).
  if (event === 'payout') return { kind: 'ignored', outcome: 'kept' };
  await payments.hint(event === 'pos' ? 'pos' : 'wallet', receivedAt);
  return { kind: 'done', outcome: 'looks_planned' };
}

async function handleSigned(
  deps: HandleDeps & { readonly silences: Silences },
  family: SignedFamily,
  said: readonly WebhookFacts[],
  entry: InboxEntry,
): Promise<Handled> {
  const { payments, subscriptions } = deps;
  const notBefore = askedAt(entry);
  if (family !== 'subscription') {
    const tell = (): Promise<Ours | undefined> =>
      tellAll(said, async (facts) => tellPayments(payments, facts, entry.receivedAt));
    const ours = await tell();
    if (ours !== undefined) {
      const checked = await payments.checkStatus(ours.trackingId, { notBefore });
      if (!givesWay(checked, said)) return handledOf(checked, 'payments', ours.mismatch);
      const again = await tell();
      const mismatch = ours.mismatch || again?.mismatch === true;
      return handledOf(await payments.checkStatus(ours.trackingId, { notBefore }), 'payments', mismatch);
    }
  }
  // A charge of a subscription is a payment too, and may be told of as one.
  const ours = await tellAll(said, async (facts) => tellSubscriptions(subscriptions, facts, entry.receivedAt));
  if (ours === undefined) return { kind: 'parked' };
  const silentMs = deps.silences.get('subscriptions');
  if (silentMs !== undefined) return { kind: 'later', retryAfterMs: silentMs, silent: 'subscriptions' };
  return handledOf(await subscriptions.checkStatus(ours.trackingId, { notBefore }), 'subscriptions', ours.mismatch);
}

interface Ours {
  readonly trackingId: string;
  readonly mismatch: boolean;
}

/** All that came under one id; undefined when none of it is known. */
async function tellAll(
  said: readonly WebhookFacts[],
  tell: (facts: WebhookFacts) => Promise<Ours | undefined>,
): Promise<Ours | undefined> {
  let ours: Ours | undefined;
  for (const facts of said) {
    const told = await tell(facts);
    if (told === undefined) continue;
    ours = { trackingId: ours?.trackingId ?? told.trackingId, mismatch: told.mismatch || ours?.mismatch === true };
  }
  return ours;
}

async function tellPayments(payments: Payments, facts: WebhookFacts, receivedAt: Instant): Promise<Ours | undefined> {
  const { paymentId, trackingId, succeeded, occurredAt, amount, currency } = facts;
  const event = { gatewayId: paymentId, trackingId, succeeded, occurredAt, amount, currency, receivedAt };
  const outcome = await payments.applyWebhookEvent(event);
  return outcome.kind === 'known' ? outcome : undefined;
}

async function tellSubscriptions(
  subscriptions: Subscriptions,
  { subscriptionId, trackingId, paymentId, amount, currency }: WebhookFacts,
  receivedAt: Instant,
): Promise<Ours | undefined> {
  const outcome = await subscriptions.applyWebhookEvent({
    subscriptionId,
    trackingId,
    paymentId,
    amount,
    currency,
    receivedAt,
  });
  return outcome.kind === 'known' ? outcome : undefined;
}

type StatusCheck = Awaited<ReturnType<Payments['checkStatus'] | Subscriptions['checkStatus']>>;

function handledOf(checked: StatusCheck, question: Question, mismatch: boolean): Handled {
  if (checked.kind === 'later') {
    const silent = 'everybody' in checked && checked.everybody ? question : undefined;
    return { kind: 'later', retryAfterMs: checked.retryAfterMs, silent };
  }
  return { kind: 'done', outcome: mismatch ? 'mismatch' : checked.kind };
}

/**
 * Whether this very look found that the session which another message gave does not exist. Then ours takes its place,
 * and the order in which the two came does not matter.
 */
function givesWay(checked: Awaited<ReturnType<Payments['checkStatus']>>, said: readonly WebhookFacts[]): boolean {
  if (checked.kind !== 'looked' || !isProvisional(checked.payment)) return false;
  const { gatewayId } = checked.payment;
  return said.some(({ paymentId }) => paymentId !== undefined && paymentId !== gatewayId);
}

/** An answer of the gateway since then will do. A person who replays, and a conflict, ask for a newer one. */
function askedAt({ outcome, receivedAt, availableAt }: InboxEntry): Instant {
  return REOPENED_FOR.some((reason) => reason === outcome) ? availableAt : receivedAt;
}

/**
 * Correctly signed, but long ago or not readable: which payment it is about is news, what it says of it is not (open
 * point 107).
 */
function idsAlone(facts: WebhookFacts): WebhookFacts {
  return { ...facts, succeeded: false, occurredAt: undefined, amount: undefined, currency: undefined };
}
