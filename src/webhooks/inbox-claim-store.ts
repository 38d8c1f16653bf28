import { column, databaseNow, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';
import { ENTRY, selectEntries } from './inbox-store';
import { FACTS_COLUMN, type WebhookFacts } from './webhook-facts';
import { type InboxEntry, WEBHOOK_FAMILIES, type WebhookFamily, type WebhookState } from './webhooks';

const OPEN_STATES = ['received', 'parked'] as const satisfies readonly WebhookState[];

/** Each kind has its own page, so that entries that the gateway refuses do not displace the others. */
const KINDS = [['hint'], ['subscription'], ['payment_v1', 'payment_v2']] as const satisfies readonly WebhookFamily[][];

const DUE = rowCodec({ id: column.text('id'), family: column.word('family', WEBHOOK_FAMILIES) });
const CONTENT = rowCodec({ content: column.bytes('content'), facts: FACTS_COLUMN });

/** Signed bytes and their decoded facts, which are undefined in rows of versions that did not store them. */
export interface StoredContent {
  readonly content: Buffer;
  readonly facts: WebhookFacts | undefined;
}

/**
 * The right to process an entry until the lease ends. `fencing` distinguishes the holder from an earlier or a later
 * one.
 */
export interface EntryClaim {
  readonly entry: InboxEntry;
  /** The entry's own content, then other contents of the same event id. */
  readonly contents: readonly StoredContent[];
  readonly fencing: number;
}

/** The changes after processing an entry. `undefined` empties a field; an absent field stays. */
export interface EntryChange {
  readonly state: WebhookState;
  readonly outcome?: string;
  readonly availableAt?: Instant;
  readonly tries: number;
  readonly error: string | undefined;
  readonly doneAt: Instant | undefined;
}

/** The leases on entries inside one transaction of the database. */
export interface InboxClaims {
  /**
   * Returns waiting entries that are due and not leased: at most `limit` hints, subscriptions and payments each, the
   * longest waiting first.
   */
  due(now: Instant, limit: number): Promise<{ readonly id: string; readonly family: WebhookFamily }[]>;
  /** Claims an entry. Undefined when another worker holds it, or has processed it. */
  claim(id: string, now: Instant, leaseMs: number): Promise<EntryClaim | undefined>;
  /** Stores an outcome and ends the lease. Returns false when another worker holds the entry, whose outcome counts. */
  finish(claim: EntryClaim, change: EntryChange): Promise<boolean>;
}

export function openInboxClaims(session: Session): InboxClaims {
  return {
    async due(now, limit) {
      const leaseFrom = await databaseNow(session);
      const due: { id: string; family: WebhookFamily }[] = [];
      for (const families of KINDS) {
        const page = await DUE.all(
          session('webhook_inbox as w')
            .select(DUE.columns('w'))
            .whereIn('w.family', [...families])
            .whereIn('w.state', [...OPEN_STATES])
            .where('w.available_at', '<=', now)
            .where('w.lease_until', '<', leaseFrom)
            .orderBy(['w.available_at', 'w.id'])
            .limit(limit),
        );
        due.push(...page);
      }
      return due;
    },
    async claim(id, now, leaseMs) {
      const leaseFrom = await databaseNow(session);
      const taken = await session('webhook_inbox')
        .where('id', id)
        .whereIn('state', [...OPEN_STATES])
        .where('available_at', '<=', now)
        .where('lease_until', '<', leaseFrom)
        .update({ lease_until: leaseFrom + leaseMs, fencing: session.fragment('fencing + 1') });
      if (taken !== 1) return undefined;
      const claimed = await ENTRY.first(selectEntries(session).where('w.id', id));
      if (claimed === undefined) return undefined;
      const { facts, fencing, ...entry } = claimed;
      const conflicting = await CONTENT.all(
        session('webhook_conflicts as c').select(CONTENT.columns('c')).where('c.inbox_id', id).orderBy('c.id'),
      );
      return { entry, contents: [{ content: entry.content, facts }, ...conflicting], fencing };
    },
    async finish({ entry, fencing }, change) {
      const written = await session('webhook_inbox')
        .where({ id: entry.id, fencing })
        .update({ ...ENTRY.write(change), lease_until: 0 });
      return written === 1;
    },
  };
}
