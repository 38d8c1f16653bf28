import { databaseNow, rowsOf, type Session } from '../db';
import type { Instant } from '../kernel';
import { selectEntries, toEntry } from './inbox-store';
import type { InboxEntry, WebhookFamily, WebhookState } from './webhooks';

const OPEN_STATES = ['received', 'parked'] as const satisfies readonly WebhookState[];

/** Each kind has a page of its own, so that many of one that the gateway is silent about leave room for the others. */
const KINDS = [['hint'], ['subscription'], ['payment_v1', 'payment_v2']] as const satisfies readonly WebhookFamily[][];

/** The right to work an entry off until the lease ends; the number tells the holder from an earlier or a later one. */
export interface EntryClaim {
  readonly entry: InboxEntry;
  /** What came under the same event id with other bytes. */
  readonly conflicting: readonly Buffer[];
  readonly fencing: number;
}

/** What is written of an entry that was worked on. `undefined` empties a field; one that is not named stays. */
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
   * Entries that wait, have come to their time and are nobody's now: hints, subscriptions and payments, of each kind at
   * most `limit`, those that have waited longest first.
   */
  due(now: Instant, limit: number): Promise<{ readonly id: string; readonly family: WebhookFamily }[]>;
  /** Undefined when somebody else is at it, or was. */
  claim(id: string, now: Instant, leaseMs: number): Promise<EntryClaim | undefined>;
  /** Writes an outcome and gives the entry back. False when it had passed to somebody else, whose outcome counts. */
  finish(claim: EntryClaim, change: EntryChange): Promise<boolean>;
}

export function openInboxClaims(session: Session): InboxClaims {
  return {
    async due(now, limit) {
      const leaseFrom = await databaseNow(session);
      const due: { id: string; family: WebhookFamily }[] = [];
      for (const families of KINDS) {
        const rows = await rowsOf(
          session('webhook_inbox as w')
            .select('w.id', 'w.family')
            .whereIn('w.family', [...families])
            .whereIn('w.state', [...OPEN_STATES])
            .where('w.available_at', '<=', now)
            .where('w.lease_until', '<', leaseFrom)
            .orderBy(['w.available_at', 'w.id'])
            .limit(limit),
        );
        due.push(...rows.map((row) => ({ id: row['id'] as string, family: row['family'] as WebhookFamily })));
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
      const [row] = await rowsOf(selectEntries(session).where('w.id', id));
      if (row === undefined) return undefined;
      const others = await rowsOf(
        session('webhook_conflicts as c').select('c.content').where('c.inbox_id', id).orderBy('c.id'),
      );
      return {
        entry: toEntry(row),
        conflicting: others.map((other) => Buffer.from(other['content'] as Uint8Array)),
        fencing: Number(row['fencing']),
      };
    },
    async finish({ entry, fencing }, { state, outcome, availableAt, tries, error, doneAt }) {
      const written = await session('webhook_inbox')
        .where({ id: entry.id, fencing })
        .update({
          state,
          tries,
          error: error ?? null,
          done_at: doneAt ?? null,
          lease_until: 0,
          ...(outcome === undefined ? {} : { outcome }),
          ...(availableAt === undefined ? {} : { available_at: availableAt }),
        });
      return written === 1;
    },
  };
}
