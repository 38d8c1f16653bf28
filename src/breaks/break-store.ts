import { rowsOf, type Row, type Session } from '../db';
import { assert, businessDate, newId, pagesOf, toMillimes, type Instant } from '../kernel';
import { lapseProposal } from './workflow/proposal-store';
import {
  BREAK_CLASSES,
  type BreakClass,
  type BreakEvent,
  type BreakEventKind,
  type BreakStatus,
  type BreakSubject,
  type NewBreak,
  type ReconBreak,
} from './recon-break';

const ROWS_PER_STATEMENT = 400;
export const BREAK_COLUMNS = [
  'b.id',
  'b.fingerprint',
  'b.class',
  'b.status',
  'b.since',
  'b.amount_millimes',
  'b.subject',
  'b.opened_at',
  'b.resolved_at',
  'b.resolution',
] as const;

export interface BreakQuery {
  readonly classes?: readonly BreakClass[];
  readonly includeResolved?: boolean;
  readonly limit?: number;
}

/** The breaks inside one transaction of the database. History is appended in the same transaction as the change. */
export interface BreakStore {
  /** A fingerprint that exists fails with `duplicate_key`. */
  open(breaks: readonly NewBreak[], at: Instant, actor: string): Promise<void>;
  /** Opens breaks with a new fingerprint; a break that a person resolved stays resolved. */
  openNew(breaks: readonly NewBreak[], at: Instant, actor: string): Promise<void>;
  /** The same break with other rows or another amount, as a later run sees it. Nothing where it is resolved by now. */
  change(id: string, now: NewBreak, at: Instant, actor: string): Promise<void>;
  /**
   * Closes a break; a proposal that waits for it lapses. A run that closes one says which run it is in `detail`.
   * False, and nothing is written, if another actor was first.
   */
  resolve(id: string, resolution: string, at: Instant, actor: string, detail?: BreakEvent['detail']): Promise<boolean>;
  /** Opens a resolved break again for its last assignee. False, and nothing is written, if it is open already. */
  reopen(id: string, now: NewBreak, at: Instant, actor: string, detail?: BreakEvent['detail']): Promise<boolean>;
  /** Appends a step that leaves the break's content as it is. */
  note(id: string, kind: BreakEventKind, detail: BreakEvent['detail'], at: Instant, actor: string): Promise<void>;
  /** Notes something that belongs to the break without changing it. */
  link(id: string, detail: BreakEvent['detail'], at: Instant, actor: string): Promise<void>;
  byFingerprint(
    fingerprints: readonly string[],
    /** Locks them until the transaction ends. */
    how?: { readonly hold: boolean },
  ): Promise<Map<string, ReconBreak>>;
  /** Those whose fingerprint begins with `prefix`, visible ASCII, resolved ones too; in their order. */
  under(prefix: string): Promise<ReconBreak[]>;
  list(filter: BreakQuery): Promise<ReconBreak[]>;
  find(id: string): Promise<ReconBreak | undefined>;
  history(id: string): Promise<BreakEvent[]>;
}

export function openBreakStore(session: Session): BreakStore {
  async function append(id: string, kind: BreakEventKind, at: Instant, actor: string, detail: BreakEvent['detail']) {
    const [row] = await rowsOf(
      session('recon_break_events as e')
        .select(session.fragment('coalesce(max(e.position), 0) as position'))
        .where('e.break_id', id),
    );
    const position = Number(row?.['position'] ?? 0) + 1;
    await session('recon_break_events').insert(eventRow(id, position, kind, at, actor, detail));
  }

  async function open(breaks: readonly NewBreak[], at: Instant, actor: string): Promise<void> {
    const withIds = breaks.map((each) => ({ id: newId(), ...each }));
    for (const page of pagesOf(withIds, ROWS_PER_STATEMENT)) {
      await session('recon_breaks').insert(page.map((each) => breakRow(each.id, each, at)));
      await session('recon_break_events').insert(
        page.map((each) => eventRow(each.id, 1, 'opened', at, actor, changeDetail(each))),
      );
    }
  }

  async function byFingerprint(
    fingerprints: readonly string[],
    { hold } = { hold: false },
  ): Promise<Map<string, ReconBreak>> {
    const found = new Map<string, ReconBreak>();
    for (const page of pagesOf([...new Set(fingerprints)], ROWS_PER_STATEMENT)) {
      const breaks = session('recon_breaks as b')
        .select(...BREAK_COLUMNS)
        .whereIn('b.fingerprint', page);
      const rows = await rowsOf(hold ? breaks.forUpdate() : breaks);
      for (const each of rows.map(toBreak)) found.set(each.fingerprint, each);
    }
    return found;
  }

  return {
    open,
    async openNew(breaks, at, actor) {
      const known = await byFingerprint(breaks.map(({ fingerprint }) => fingerprint));
      await open(
        breaks.filter(({ fingerprint }) => !known.has(fingerprint)),
        at,
        actor,
      );
    },
    async change(id, now, at, actor) {
      const changed = await session('recon_breaks')
        .where('id', id)
        .whereNot('status', 'resolved')
        .update({ ...contentRow(now), updated_at: at });
      if (changed === 0) return;
      await append(id, 'changed', at, actor, changeDetail(now));
    },
    async resolve(id, resolution, at, actor, detail = {}) {
      // The row is locked from here on: of a run and two people at once one closes it, and the others see that it is.
      const closed = await session('recon_breaks')
        .where('id', id)
        .whereNot('status', 'resolved')
        .update({ status: 'resolved', resolution, resolved_at: at, updated_at: at });
      if (closed === 0) return false;
      await lapseProposal(session, id, at, actor);
      await append(id, 'resolved', at, actor, { resolution, ...detail });
      return true;
    },
    async reopen(id, now, at, actor, detail = {}) {
      const assigned = await rowsOf(
        session('break_assignments as a').select('a.break_id').where('a.break_id', id).limit(1),
      );
      const status: BreakStatus = assigned.length === 0 ? 'open' : 'assigned';
      const reopened = await session('recon_breaks')
        .where({ id, status: 'resolved' })
        .update({ ...contentRow(now), status, resolution: null, resolved_at: null, updated_at: at });
      if (reopened === 0) return false;
      await lapseProposal(session, id, at, actor);
      await append(id, 'reopened', at, actor, { ...changeDetail(now), ...detail });
      return true;
    },
    note: (id, kind, detail, at, actor) => append(id, kind, at, actor, detail),
    link: (id, detail, at, actor) => append(id, 'linked', at, actor, detail),
    byFingerprint,
    async under(prefix) {
      const rows = await rowsOf(
        session('recon_breaks as b')
          .select(...BREAK_COLUMNS)
          .where('b.fingerprint', '>=', prefix)
          // The column compares bytes, and no visible ASCII character is greater.
          .where('b.fingerprint', '<', `${prefix}~`)
          .orderBy('b.fingerprint'),
      );
      return rows.map(toBreak);
    },
    async list({ classes, includeResolved = false, limit }) {
      const query = session('recon_breaks as b')
        .select(...BREAK_COLUMNS)
        .orderBy(['b.since', 'b.class', 'b.fingerprint']);
      if (classes !== undefined) void query.whereIn('b.class', [...classes]);
      if (!includeResolved) void query.whereNot('b.status', 'resolved');
      if (limit !== undefined) void query.limit(limit);
      return (await rowsOf(query)).map(toBreak);
    },
    async find(id) {
      const [row] = await rowsOf(
        session('recon_breaks as b')
          .select(...BREAK_COLUMNS)
          .where('b.id', id),
      );
      return row === undefined ? undefined : toBreak(row);
    },
    async history(id) {
      const rows = await rowsOf(
        session('recon_break_events as e')
          .select('e.position', 'e.kind', 'e.actor', 'e.at', 'e.detail')
          .where('e.break_id', id)
          .orderBy('e.position'),
      );
      return rows.map(toEvent);
    },
  };
}

function changeDetail(now: NewBreak): BreakEvent['detail'] {
  return {
    ...(now.amount === undefined ? {} : { amountMillimes: now.amount }),
    items: now.subject.itemIds.length,
    lines: now.subject.lineIds.length,
  };
}

function contentRow(now: NewBreak): Record<string, unknown> {
  return { since: now.since, amount_millimes: now.amount ?? null, subject: JSON.stringify(now.subject) };
}

function breakRow(id: string, now: NewBreak, at: Instant): Record<string, unknown> {
  return {
    id,
    fingerprint: now.fingerprint,
    class: now.breakClass,
    status: 'open',
    ...contentRow(now),
    opened_at: at,
    updated_at: at,
    resolved_at: null,
    resolution: null,
  };
}

function eventRow(
  breakId: string,
  position: number,
  kind: BreakEventKind,
  at: Instant,
  actor: string,
  detail: BreakEvent['detail'],
): Record<string, unknown> {
  return { break_id: breakId, position, kind, actor, at, detail: JSON.stringify(detail) };
}

export function toBreak(row: Row): ReconBreak {
  const breakClass = BREAK_CLASSES.find((name) => name === row['class']);
  assert(breakClass !== undefined, 'a break of a class that is not in the list');
  return {
    id: row['id'] as string,
    fingerprint: row['fingerprint'] as string,
    breakClass,
    status: row['status'] as BreakStatus,
    since: businessDate(row['since'] as string),
    amount: row['amount_millimes'] === null ? undefined : toMillimes(row['amount_millimes']),
    subject: JSON.parse(row['subject'] as string) as BreakSubject,
    openedAt: Number(row['opened_at']),
    resolvedAt: row['resolved_at'] === null ? undefined : Number(row['resolved_at']),
    resolution: row['resolution'] === null ? undefined : (row['resolution'] as string),
  };
}

function toEvent(row: Row): BreakEvent {
  return {
    position: Number(row['position']),
    kind: row['kind'] as BreakEventKind,
    actor: row['actor'] as string,
    at: Number(row['at']),
    detail: JSON.parse(row['detail'] as string) as BreakEvent['detail'],
  };
}
