import type { Session } from '../db';
import { type Actor, type Language, openAuditTrail, requireScope } from '../identity';
import { AppError, type Instant, newId } from '../kernel';
import type { Delivery } from './delivery';
import { openDeliveries } from './delivery-store';
import type { NotificationDeps, NotificationSettings } from './notification-deps';
import { checkAddress, type NotificationWay, parseKinds, type Recipient, SCOPE_OF_KIND } from './recipient';
import { openRecipients } from './recipient-store';
import { secretOf, shownSecret } from './sign-webhook';

const RECIPIENTS_MAX = 20;
const DELIVERIES_SHOWN = 50;

export interface AddRecipient {
  readonly way: NotificationWay;
  readonly address: string;
  readonly kinds: readonly string[];
  /** Of the e-mails. */
  readonly language: Language;
  readonly actor: Actor;
}

export interface NewRecipient {
  readonly recipient: Recipient;
  /** The signing secret of a webhook, which is shown here alone. */
  readonly secret: string | undefined;
}

/** The recipients of a person, and the newest messages to them. */
export interface ListedRecipients {
  readonly recipients: readonly Recipient[];
  readonly deliveries: readonly Delivery[];
}

/**
 * Adds a recipient for the actor, who needs the scope of each kind.
 *
 * @throws AppError `bad_input`, `missing_scope`, `notifications_off`, `too_many_recipients`.
 */
export async function addRecipient(deps: NotificationDeps, command: AddRecipient): Promise<NewRecipient> {
  const { way, language, actor } = command;
  const { database, clock, settings } = deps;
  const kinds = parseKinds(command.kinds);
  for (const kind of kinds) requireScope(actor, SCOPE_OF_KIND[kind]);
  const address = checkAddress(way, command.address);
  requireConfigured(way, settings);
  const at = clock.now();
  const keyId = actor.kind === 'api_key' ? actor.keyId : undefined;
  const recipient: Recipient = {
    ...{ id: newId(), ownerName: actor.name, keyId, way, address, kinds, language, createdAt: at },
  };
  await database.transact(async (session) => {
    const recipients = openRecipients(session);
    if ((await recipients.list(actor.name)).length >= RECIPIENTS_MAX) {
      throw new AppError('too_many_recipients', { max: RECIPIENTS_MAX });
    }
    await recipients.add(recipient);
    await record(session, 'recipient.added', recipient, actor, at);
  });
  const [secret] = settings.secrets;
  return {
    recipient,
    secret: way === 'webhook' && secret !== undefined ? shownSecret(secretOf(secret, recipient.id)) : undefined,
  };
}

/** Returns the recipients of the actor; those of all people for the operator. */
export function listRecipients({ database }: NotificationDeps, actor: Actor): Promise<ListedRecipients> {
  return database.read(
    async (session) => {
      const recipients = await openRecipients(session).list(actor.kind === 'operator' ? undefined : actor.name);
      const ids = recipients.map(({ id }) => id);
      const deliveries = ids.length === 0 ? [] : await openDeliveries(session).newest(ids, DELIVERIES_SHOWN);
      return { recipients, deliveries };
    },
    { snapshot: true },
  );
}

/** Removes a recipient with its messages. @throws AppError `not_found`, also for that of another person. */
export function removeRecipient({ database, clock }: NotificationDeps, id: string, actor: Actor): Promise<void> {
  return database.transact(async (session) => {
    const recipient = await ownRecipient(session, id, actor);
    await openRecipients(session).remove(id);
    await record(session, 'recipient.removed', recipient, actor, clock.now());
  });
}

/**
 * Stores a test message for a recipient, unless one waits. Returns its id.
 *
 * @throws AppError `not_found`, `notifications_off`.
 */
export function testRecipient(
  { database, clock, settings }: NotificationDeps,
  id: string,
  actor: Actor,
): Promise<string> {
  return database.transact(async (session) => {
    const recipient = await ownRecipient(session, id, actor);
    requireConfigured(recipient.way, settings);
    const deliveries = openDeliveries(session);
    const at = clock.now();
    await record(session, 'recipient.tested', recipient, actor, at);
    const waiting = await deliveries.waitingTest(id);
    const [made = ''] = waiting === undefined ? await deliveries.add([id], 'test', { count: 0, items: [] }, at) : [];
    return waiting ?? made;
  });
}

async function ownRecipient(session: Session, id: string, actor: Actor): Promise<Recipient> {
  const found = await openRecipients(session).find(id);
  if (found === undefined || (actor.kind !== 'operator' && found.ownerName !== actor.name)) {
    throw new AppError('not_found', { thing: 'recipient', id });
  }
  return found;
}

function requireConfigured(way: NotificationWay, { mail, secrets }: NotificationSettings): void {
  if (way === 'email' && mail === undefined) {
    throw new AppError('notifications_off', { variables: 'SMTP_URL, SMTP_FROM' });
  }
  if (way === 'webhook' && secrets.length === 0) {
    throw new AppError('notifications_off', { variables: 'NOTIFICATION_SECRET' });
  }
}

/** The address is personal data, so the record has none. */
function record(
  session: Session,
  action: 'recipient.added' | 'recipient.removed' | 'recipient.tested',
  { id, way, kinds }: Recipient,
  actor: Actor,
  at: Instant,
): Promise<void> {
  const detail = { way, kinds: kinds.join(' ') };
  return openAuditTrail(session).record({
    at,
    actor,
    action,
    subject: `recipient:${id}`,
    detail,
  });
}
