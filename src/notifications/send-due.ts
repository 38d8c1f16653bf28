import { presentScopes } from '../identity';
import { DAY_MS, doubledPauseMs, HOUR_MS, type Instant, MINUTE_MS, monotonicClock, SECOND_MS } from '../kernel';
import type { Attempted, Delivery } from './delivery';
import { type DeliveryChange, type DeliveryClaim, openDeliveries } from './delivery-store';
import type { NotificationDeps } from './notification-deps';
import { type Recipient, SCOPE_OF_KIND } from './recipient';
import { openRecipients } from './recipient-store';
import { sendMail } from './send-mail';
import { sendWebhook } from './send-webhook';

/** Longer than any try. */
const LEASE_MS = MINUTE_MS;
/** A run ends before the next one is due, and begins no try after this time. */
const RUN_MS = 45 * SECOND_MS;
const SENT_AT_ONCE_MAX = 200;

/** A minute, doubled up to six hours: the last of these tries is about 21 hours after the first. */
const TRIES_MAX = 12;
const FIRST_PAUSE_MS = MINUTE_MS;
const PAUSE_MAX_MS = 6 * HOUR_MS;

const DONE_KEPT_MS = 30 * DAY_MS;

/**
 * Sends the messages that are due, one after the other, each under a lease: any number of processes may run
 * concurrently. A process that ends between sending and storing lets another one send the message again, with the same
 * id. Removes messages that were done 30 days ago.
 *
 * @returns the number of messages that were sent.
 */
export async function sendDue(deps: NotificationDeps, signal?: AbortSignal): Promise<number> {
  const { database, clock } = deps;
  await database.transact((session) => openDeliveries(session).removeDone(clock.now() - DONE_KEPT_MS));
  const due = await database.read((session) => openDeliveries(session).due(clock.now(), SENT_AT_ONCE_MAX));
  const endsAt = monotonicClock.now() + RUN_MS;
  let sent = 0;
  for (const id of due) {
    signal?.throwIfAborted();
    if (monotonicClock.now() > endsAt) break;
    const claim = await database.transact((session) => openDeliveries(session).claim(id, clock.now(), LEASE_MS));
    if (claim === undefined) continue;
    const attempted = await attempt(deps, claim.delivery);
    await finish(deps, claim, attempted);
    if (attempted.outcome === 'sent') sent += 1;
  }
  return sent;
}

async function attempt(deps: NotificationDeps, delivery: Delivery): Promise<Attempted> {
  const recipient = await permittedRecipient(deps, delivery);
  if (recipient === undefined) return { outcome: 'dropped' };
  if (recipient.way === 'email') return sendMail(delivery, recipient, deps);
  return sendWebhook(delivery, recipient, deps.settings, deps.clock.now());
}

/** Returns the recipient if its person may read the message now. A test needs any scope. */
function permittedRecipient(
  { database, clock }: NotificationDeps,
  { recipientId, kind }: Delivery,
): Promise<Recipient | undefined> {
  return database.read(async (session) => {
    const recipient = await openRecipients(session).find(recipientId);
    if (recipient === undefined) return undefined;
    const { ownerName: name, keyId } = recipient;
    const scopes = await presentScopes(session, { name, keyId }, clock.now());
    const isPermitted = kind === 'test' ? scopes.size > 0 : scopes.has(SCOPE_OF_KIND[kind]);
    return isPermitted ? recipient : undefined;
  });
}

async function finish(
  { database, clock, logger }: NotificationDeps,
  claim: DeliveryClaim,
  attempted: Attempted,
): Promise<void> {
  const { id: deliveryId, kind } = claim.delivery;
  const change = changeOf(claim.delivery, attempted, clock.now());
  await database.transact((session) => openDeliveries(session).finish(claim, change), { retryUnknownOutcome: true });
  const { state, tries, error, answer } = change;
  const fields = { deliveryId, kind, tries, error, answer };
  if (state === 'failed') logger.error('notification failed', { event: 'notifications.failed', ...fields });
  else if (state === 'waiting') logger.warn('notification not sent yet', { event: 'notifications.refused', ...fields });
  else logger.debug('notification done', { event: 'notifications.done', state, ...fields });
}

/** Returns what a try changes. Pure. */
function changeOf({ tries: before, availableAt }: Delivery, attempted: Attempted, now: Instant): DeliveryChange {
  const tries = before + 1;
  const done = { tries, availableAt, answer: undefined, doneAt: now };
  if (attempted.outcome === 'sent') return { ...done, state: 'sent', error: undefined };
  if (attempted.outcome === 'dropped') return { ...done, state: 'dropped', error: 'rights_lost' };
  const { error, answer, isFinal = false } = attempted;
  if (isFinal || tries >= TRIES_MAX) return { ...done, state: 'failed', error, answer };
  const pauseMs = doubledPauseMs(FIRST_PAUSE_MS, tries, PAUSE_MAX_MS);
  return { state: 'waiting', tries, error, answer, availableAt: now + pauseMs, doneAt: undefined };
}
