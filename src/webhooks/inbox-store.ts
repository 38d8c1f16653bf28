import { optionalNumber, optionalText, rowsOf, type Row, type Session } from '../db';
import { assert, newId, sha256Hex, type Instant } from '../kernel';
import { word } from '../payments';
import { WEBHOOK_FAMILIES, WEBHOOK_STATES, type InboxEntry, type InboxFilter } from './webhooks';

const PROOFS = ['authentic', 'stale', 'unsigned'] as const;

/** A webhook to be kept. What is missing of an entry is the same for every new one. */
export interface NewEntry extends Pick<
  InboxEntry,
  'family' | 'proof' | 'event' | 'paymentId' | 'subscriptionId' | 'trackingId' | 'content' | 'signedAt' | 'receivedAt'
> {
  /** Names the event over all families; of any length. */
  readonly dedupeKey: string;
}

/** `conflict`: the same event with other bytes than before. */
export type Kept = 'stored' | 'duplicate' | 'conflict';

/** What came, inside one transaction of the database. */
export interface InboxStore {
  /** Two of the same event at once: one fails with `duplicate_key`, and finds the other when it runs again. */
  keep(entry: NewEntry): Promise<Kept>;
  find(id: string): Promise<InboxEntry | undefined>;
  /** The newest first. */
  list(filter: InboxFilter): Promise<InboxEntry[]>;
  /** Makes an entry be processed again, at once. Whoever is at it now writes nothing more of it. */
  reopen(id: string, outcome: ReopenedFor, now: Instant): Promise<void>;
}

export const REOPENED_FOR = ['replayed', 'conflict'] as const;
/** Why an entry is processed once more; its outcome until then. */
export type ReopenedFor = (typeof REOPENED_FOR)[number];

const COLUMNS = [
  'w.id',
  'w.family',
  'w.proof',
  'w.event',
  'w.payment_id',
  'w.subscription_id',
  'w.developer_tracking_id',
  'w.content',
  'w.signed_at',
  'w.received_at',
  'w.last_received_at',
  'w.times',
  'w.state',
  'w.outcome',
  'w.available_at',
  'w.fencing',
  'w.tries',
  'w.error',
  'w.done_at',
] as const;

export function selectEntries(session: Session) {
  return session('webhook_inbox as w')
    .select(...COLUMNS)
    .select(session.fragment('(select count(*) from webhook_conflicts as c where c.inbox_id = w.id) as conflicts'));
}

export function openInbox(session: Session): InboxStore {
  async function find(id: string): Promise<InboxEntry | undefined> {
    const [row] = await rowsOf(selectEntries(session).where('w.id', id));
    return row === undefined ? undefined : toEntry(row);
  }

  async function reopen(id: string, outcome: ReopenedFor, now: Instant): Promise<void> {
    await session('webhook_inbox')
      .where('id', id)
      .update({
        state: 'received',
        outcome,
        available_at: now,
        lease_until: 0,
        fencing: session.fragment('fencing + 1'),
        tries: 0,
        error: null,
        done_at: null,
      });
  }

  /** Each other content once, however often it comes. */
  async function keepConflict(inboxId: string, content: Buffer, digest: string, at: Instant): Promise<void> {
    const known = await rowsOf(
      session('webhook_conflicts as c').select('c.id').where({ 'c.inbox_id': inboxId, 'c.content_digest': digest }),
    );
    if (known.length > 0) return;
    const row = { id: newId(), inbox_id: inboxId, content, content_digest: digest, received_at: at };
    await session('webhook_conflicts').insert(row);
    // Both are signed. Whichever came first, the payment must be compared with both.
    await reopen(inboxId, 'conflict', at);
  }

  return {
    async keep(entry) {
      const dedupeDigest = sha256Hex(entry.dedupeKey);
      const contentDigest = sha256Hex(entry.content);
      const [kept] = await rowsOf(
        session('webhook_inbox as w').select('w.id', 'w.content_digest').where('w.dedupe_digest', dedupeDigest),
      );
      if (kept === undefined) {
        await session('webhook_inbox').insert({
          ...toRow(entry),
          dedupe_digest: dedupeDigest,
          content_digest: contentDigest,
        });
        return 'stored';
      }
      const id = kept['id'] as string;
      const times = session.fragment('times + 1');
      await session('webhook_inbox').where('id', id).update({ times, last_received_at: entry.receivedAt });
      if (kept['content_digest'] === contentDigest) return 'duplicate';
      await keepConflict(id, entry.content, contentDigest, entry.receivedAt);
      return 'conflict';
    },
    find,
    async list({ states, family, paymentId, limit }) {
      const query = selectEntries(session)
        .orderBy([
          { column: 'w.received_at', order: 'desc' },
          { column: 'w.id', order: 'desc' },
        ])
        .limit(limit);
      if (states !== undefined) void query.whereIn('w.state', [...states]);
      if (family !== undefined) void query.where('w.family', family);
      if (paymentId !== undefined) void query.where('w.payment_id', paymentId);
      return (await rowsOf(query)).map(toEntry);
    },
    reopen,
  };
}

function toRow(entry: NewEntry): Record<string, unknown> {
  return {
    id: newId(),
    family: entry.family,
    proof: entry.proof,
    event: word(entry.event),
    payment_id: entry.paymentId ?? null,
    subscription_id: entry.subscriptionId ?? null,
    developer_tracking_id: entry.trackingId ?? null,
    content: entry.content,
    signed_at: entry.signedAt ?? null,
    received_at: entry.receivedAt,
    last_received_at: entry.receivedAt,
    times: 1,
    state: 'received',
    outcome: null,
    available_at: entry.receivedAt,
    lease_until: 0,
    fencing: 0,
    tries: 0,
    error: null,
    done_at: null,
  };
}

export function toEntry(row: Row): InboxEntry {
  const family = WEBHOOK_FAMILIES.find((name) => name === row['family']);
  const proof = PROOFS.find((name) => name === row['proof']);
  const state = WEBHOOK_STATES.find((name) => name === row['state']);
  assert(
    family !== undefined && proof !== undefined && state !== undefined,
    'an entry has words that are in the lists',
  );
  return {
    id: row['id'] as string,
    family,
    proof,
    event: row['event'] as string,
    paymentId: optionalText(row['payment_id']),
    subscriptionId: optionalText(row['subscription_id']),
    trackingId: optionalText(row['developer_tracking_id']),
    content: Buffer.from(row['content'] as Uint8Array),
    signedAt: optionalNumber(row['signed_at']),
    receivedAt: Number(row['received_at']),
    lastReceivedAt: Number(row['last_received_at']),
    times: Number(row['times']),
    conflicts: Number(row['conflicts']),
    state,
    outcome: optionalText(row['outcome']),
    availableAt: Number(row['available_at']),
    tries: Number(row['tries']),
    error: optionalText(row['error']),
    doneAt: optionalNumber(row['done_at']),
  };
}
