import { gatewayWord } from '../attempts';
import { column, type Decoded, rowCodec, type Session } from '../db';
import { AppError, type Instant, newId, sha256Hex } from '../kernel';
import { FACTS_COLUMN, type WebhookFacts } from './webhook-facts';
import { type InboxEntry, WEBHOOK_FAMILIES, WEBHOOK_STATES } from './webhooks';

const STORED = rowCodec({
  id: column.text('id'),
  family: column.word('family', WEBHOOK_FAMILIES),
  proof: column.word('proof', ['authentic', 'stale', 'unsigned']),
  event: gatewayWord('event'),
  paymentId: column.optional(column.text('payment_id')),
  subscriptionId: column.optional(column.text('subscription_id')),
  trackingId: column.optional(column.text('developer_tracking_id')),
  content: column.bytes('content'),
  facts: FACTS_COLUMN,
  signedAt: column.optional(column.number('signed_at')),
  receivedAt: column.number('received_at'),
  lastReceivedAt: column.number('last_received_at'),
  times: column.number('times'),
  state: column.word('state', WEBHOOK_STATES),
  outcome: column.optional(column.text('outcome')),
  availableAt: column.number('available_at'),
  fencing: column.number('fencing'),
  tries: column.number('tries'),
  error: column.optional(column.text('error')),
  doneAt: column.optional(column.number('done_at')),
});

/** A row with the number of its conflicts, as `selectEntries` returns it. */
export const ENTRY = rowCodec({ ...STORED.fields, conflicts: column.number('conflicts') });

const KEY = rowCodec({ id: column.text('id'), contentDigest: column.text('content_digest') });

/** A webhook to store. The other fields of an entry have the same values for every new one. */
export interface NewEntry extends Pick<
  InboxEntry,
  'family' | 'proof' | 'event' | 'paymentId' | 'subscriptionId' | 'trackingId' | 'content' | 'signedAt' | 'receivedAt'
> {
  /** Undefined for a hint, which reports nothing. */
  readonly facts: WebhookFacts | undefined;
  /** Identifies the event across all families; of any length. */
  readonly dedupeKey: string;
}

/** `conflict`: the same event with other bytes than before. */
export type Kept = 'stored' | 'duplicate' | 'conflict';

/** The space of a row without its content: the other columns and the keys. */
const ROW_BYTES = 1_024;
const SPACE = rowCodec({ rows: column.number('row_count'), bytes: column.number('byte_count') });

/** The stored webhooks inside one transaction of the database. */
export interface InboxStore {
  /**
   * Stores a webhook. Of two concurrent calls with the same event one fails with `duplicate_key`, and finds the other's
   * entry when it runs again.
   */
  keep(entry: NewEntry): Promise<Kept>;
  /** Returns the bytes that the hints received after an instant take, whichever process stored them. */
  hintBytes(after: Instant, until: Instant): Promise<number>;
  find(id: string): Promise<InboxEntry | undefined>;
  /** Schedules an entry to be processed again immediately. A worker that holds it can no longer write its outcome. */
  reopen(id: string, outcome: ReopenedFor, now: Instant): Promise<void>;
}

export const REOPENED_FOR = ['replayed', 'conflict'] as const;
/** Why an entry is processed again. It is the entry's outcome until then. */
export type ReopenedFor = (typeof REOPENED_FOR)[number];

export function selectEntries(session: Session) {
  return session('webhook_inbox as w').select(STORED.columns('w')).select(conflictCount(session));
}

/** The number of other contents of an entry, as the column `conflicts`. */
export function conflictCount(session: Session) {
  return session.fragment('(select count(*) from webhook_conflicts as c where c.inbox_id = w.id) as conflicts');
}

export function openInbox(session: Session): InboxStore {
  return {
    keep: (entry) => keepEntry(session, entry),
    async hintBytes(after, until) {
      const found = await SPACE.first(
        session('webhook_inbox as w')
          .select(session.fragment('count(*) as row_count'))
          .select(session.fragment('coalesce(sum(length(w.content)), 0) as byte_count'))
          .where('w.family', 'hint')
          .where('w.received_at', '>', after)
          .where('w.received_at', '<=', until),
      );
      return found === undefined ? 0 : found.rows * ROW_BYTES + found.bytes;
    },
    async find(id) {
      const found = await ENTRY.first(selectEntries(session).where('w.id', id));
      return found === undefined ? undefined : shown(found);
    },
    reopen: (id, outcome, now) => reopenEntry(session, id, outcome, now),
  };
}

async function keepEntry(session: Session, entry: NewEntry): Promise<Kept> {
  const dedupeDigest = sha256Hex(entry.dedupeKey);
  const contentDigest = sha256Hex(entry.content);
  const stored = await KEY.first(
    session('webhook_inbox as w').select(KEY.columns('w')).where('w.dedupe_digest', dedupeDigest),
  );
  if (stored === undefined) {
    const digests = { dedupe_digest: dedupeDigest, content_digest: contentDigest };
    await session('webhook_inbox').insert({ ...newRow(entry), ...digests });
    return 'stored';
  }
  const { id } = stored;
  const times = session.fragment('times + 1');
  await session('webhook_inbox').where('id', id).update({ times, last_received_at: entry.receivedAt });
  if (stored.contentDigest === contentDigest) return 'duplicate';
  await keepConflict(session, id, entry, contentDigest);
  return 'conflict';
}

/** Stores each different content once, however often it arrives. */
async function keepConflict(session: Session, inboxId: string, entry: NewEntry, digest: string): Promise<void> {
  const known = await KEY.first(
    session('webhook_conflicts as c')
      .select(KEY.columns('c'))
      .where({ 'c.inbox_id': inboxId, 'c.content_digest': digest }),
  );
  if (known !== undefined) return;
  const { content, facts, receivedAt } = entry;
  await session('webhook_conflicts').insert({
    ...STORED.write({ id: newId(), content, facts, receivedAt }),
    inbox_id: inboxId,
    content_digest: digest,
  });
  // Both contents are signed, so the payment must be compared with both, whatever their order.
  await reopenEntry(session, inboxId, 'conflict', receivedAt);
}

async function reopenEntry(session: Session, id: string, outcome: ReopenedFor, now: Instant): Promise<void> {
  const row = STORED.write({
    state: 'received',
    outcome,
    availableAt: now,
    tries: 0,
    error: undefined,
    doneAt: undefined,
  });
  await session('webhook_inbox')
    .where('id', id)
    .update({ ...row, lease_until: 0, fencing: session.fragment('fencing + 1') });
}

function newRow(entry: NewEntry): Record<string, unknown> {
  const { family, proof, event, paymentId, subscriptionId, trackingId, content, facts, signedAt, receivedAt } = entry;
  const row = STORED.write({
    id: newId(),
    family,
    proof,
    event,
    paymentId,
    subscriptionId,
    trackingId,
    content,
    facts,
    signedAt,
    receivedAt,
    lastReceivedAt: receivedAt,
    times: 1,
    state: 'received',
    outcome: undefined,
    availableAt: receivedAt,
    fencing: 0,
    tries: 0,
    error: undefined,
    doneAt: undefined,
  });
  return { ...row, lease_until: 0 };
}

/** @throws AppError `not_found`. */
export async function requireEntry(inbox: InboxStore, id: string): Promise<InboxEntry> {
  const entry = await inbox.find(id);
  if (entry === undefined) throw new AppError('not_found', { thing: 'webhook', id });
  return entry;
}

/** Returns the fields of an entry for operators and other modules. */
export function shown({ facts: _facts, fencing: _fencing, ...entry }: Decoded<typeof ENTRY>): InboxEntry {
  return entry;
}
