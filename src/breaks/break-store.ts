import { byIndex, type Column, column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, newId, pagesOf } from '../kernel';
import { openBreakEventStore } from './break-event-store';
import { openBreakItemStore } from './break-item-store';
import {
  BREAK_CLASSES,
  BREAK_STATUSES,
  type BreakClass,
  type BreakEvent,
  type BreakEventKind,
  type BreakStatus,
  type BreakSubject,
  type Direction,
  DIRECTIONS,
  type NewBreak,
  OPEN_STATUSES,
  type ReconBreak,
  type Resolution,
} from './recon-break';
import { lapseProposal } from './workflow/proposal-store';

const WORD_OF_DIRECTION = column.word('direction', DIRECTIONS);
/** A version without this column may still write rows during an upgrade: they have null in it. */
const DIRECTION: Column<Direction> = {
  ...WORD_OF_DIRECTION,
  read: (value) => (value === null ? 'unknown' : WORD_OF_DIRECTION.read(value)),
};

export const BREAK = rowCodec({
  id: column.text('id'),
  fingerprint: column.text('fingerprint'),
  breakClass: column.word('class', BREAK_CLASSES),
  status: column.word('status', BREAK_STATUSES),
  since: column.businessDate('since'),
  amount: column.optional(column.millimes('amount_millimes')),
  direction: DIRECTION,
  subject: column.json('subject', (value) => value as BreakSubject),
  openedAt: column.number('opened_at'),
  resolvedAt: column.optional(column.number('resolved_at')),
  resolution: column.optional(column.text('resolution')),
});

export interface BreakQuery {
  readonly classes?: readonly BreakClass[];
  readonly includeResolved?: boolean;
  /** Only breaks about this bank line. */
  readonly lineId?: string | undefined;
  /** Only breaks that were resolved so. */
  readonly resolutions?: readonly string[];
  readonly limit?: number;
}

/**
 * Reads and writes breaks inside one transaction of the database. Each change also appends its event to the history.
 */
export interface BreakStore {
  /** Opens breaks. An existing fingerprint fails with `duplicate_key`. */
  open(breaks: readonly NewBreak[], at: Instant, actor: string): Promise<void>;
  /** Opens the breaks whose fingerprint is new. A break that a person resolved stays resolved. */
  openNew(breaks: readonly NewBreak[], at: Instant, actor: string): Promise<void>;
  /** Stores the rows and the amount that a later run found. Writes nothing if the break is resolved. */
  change(id: string, now: NewBreak, at: Instant, actor: string): Promise<void>;
  /**
   * Closes a break and lets its pending proposal lapse. A run states its id in `detail`. Returns false, and writes
   * nothing, if another actor closed it first.
   */
  resolve(
    id: string,
    resolution: Resolution,
    at: Instant,
    actor: string,
    detail?: BreakEvent['detail'],
  ): Promise<boolean>;
  /** Opens a resolved break again for its last assignee. Returns false, and writes nothing, if it is open. */
  reopen(id: string, now: NewBreak, at: Instant, actor: string, detail?: BreakEvent['detail']): Promise<boolean>;
  /** Appends a step that leaves the content of the break unchanged. */
  note(id: string, kind: BreakEventKind, detail: BreakEvent['detail'], at: Instant, actor: string): Promise<void>;
  /** Appends a related fact, which leaves the break unchanged. */
  link(id: string, detail: BreakEvent['detail'], at: Instant, actor: string): Promise<void>;
  byFingerprint(
    fingerprints: readonly string[],
    /** `hold` locks the breaks until the transaction ends. */
    how?: { readonly hold: boolean },
  ): Promise<Map<string, ReconBreak>>;
  /** Returns the breaks, also resolved ones, whose fingerprint begins with `prefix` (visible ASCII), by fingerprint. */
  under(prefix: string): Promise<ReconBreak[]>;
  list(filter: BreakQuery): Promise<ReconBreak[]>;
  find(id: string): Promise<ReconBreak | undefined>;
  history(id: string): Promise<BreakEvent[]>;
}

export function openBreakStore(session: Session): BreakStore {
  const events = openBreakEventStore(session);
  const items = openBreakItemStore(session);
  return {
    open: (breaks, at, actor) => openBreaks(session, breaks, at, actor),
    async openNew(breaks, at, actor) {
      const known = await findByFingerprint(
        session,
        breaks.map(({ fingerprint }) => fingerprint),
      );
      const fresh = breaks.filter(({ fingerprint }) => !known.has(fingerprint));
      await openBreaks(session, fresh, at, actor);
    },
    async change(id, now, at, actor) {
      const changed = await session('recon_breaks')
        .where('id', id)
        .whereNot('status', 'resolved')
        .update({ ...contentRow(now), updated_at: at });
      if (changed === 0) return;
      await items.change(id, now.subject.itemIds);
      await events.append(id, { kind: 'changed', at, actor, detail: changeDetail(now) });
    },
    async resolve(id, resolution, at, actor, detail = {}) {
      // The update locks the row. One of several concurrent transactions closes the break; the others find it closed.
      const closed = await session('recon_breaks')
        .where('id', id)
        .whereNot('status', 'resolved')
        .update({ status: 'resolved', resolution, resolved_at: at, updated_at: at });
      if (closed === 0) return false;
      await items.remove(id);
      await lapseProposal(session, id, at, actor);
      await events.append(id, { kind: 'resolved', at, actor, detail: { resolution, ...detail } });
      return true;
    },
    async reopen(id, now, at, actor, detail = {}) {
      const assigned = await session('break_assignments as a').select('a.break_id').where('a.break_id', id).limit(1);
      const status: BreakStatus = assigned.length === 0 ? 'open' : 'assigned';
      const reopened = await session('recon_breaks')
        .where({ id, status: 'resolved' })
        .update({ ...contentRow(now), status, resolution: null, resolved_at: null, updated_at: at });
      if (reopened === 0) return false;
      await items.change(id, now.subject.itemIds);
      await lapseProposal(session, id, at, actor);
      await events.append(id, { kind: 'reopened', at, actor, detail: { ...changeDetail(now), ...detail } });
      return true;
    },
    note: (id, kind, detail, at, actor) => events.append(id, { kind, at, actor, detail }),
    link: (id, detail, at, actor) => events.append(id, { kind: 'linked', at, actor, detail }),
    byFingerprint: (fingerprints, how) => findByFingerprint(session, fingerprints, how),
    under: (prefix) => findUnder(session, prefix),
    list: (filter) => listBreaks(session, filter),
    find: (id) => BREAK.first(session('recon_breaks as b').select(BREAK.columns('b')).where('b.id', id)),
    history: (id) => events.of(id),
  };
}

async function openBreaks(session: Session, breaks: readonly NewBreak[], at: Instant, actor: string): Promise<void> {
  const withIds = breaks.map((each) => ({ id: newId(), ...each }));
  for (const page of pagesOf(withIds, ROWS_PER_STATEMENT)) {
    await session('recon_breaks').insert(page.map((each) => breakRow(each.id, each, at)));
    await openBreakItemStore(session).add(page.map(({ id, subject: { itemIds } }) => ({ id, itemIds })));
    await openBreakEventStore(session).begin(
      page.map((each) => [each.id, { kind: 'opened', at, actor, detail: changeDetail(each) }]),
    );
  }
}

async function findByFingerprint(
  session: Session,
  fingerprints: readonly string[],
  { hold } = { hold: false },
): Promise<Map<string, ReconBreak>> {
  const found = new Map<string, ReconBreak>();
  for (const page of pagesOf([...new Set(fingerprints)], ROWS_PER_STATEMENT)) {
    const breaks = session('recon_breaks as b').select(BREAK.columns('b')).whereIn('b.fingerprint', page);
    for (const each of await BREAK.all(hold ? breaks.forUpdate() : breaks)) found.set(each.fingerprint, each);
  }
  return found;
}

function findUnder(session: Session, prefix: string): Promise<ReconBreak[]> {
  return BREAK.all(
    session('recon_breaks as b')
      .select(BREAK.columns('b'))
      .where('b.fingerprint', '>=', prefix)
      // The column compares bytes, and `~` is the greatest visible ASCII character.
      .where('b.fingerprint', '<', `${prefix}~`)
      .orderBy('b.fingerprint'),
  );
}

function listBreaks(
  session: Session,
  { classes, includeResolved = false, lineId, resolutions, limit }: BreakQuery,
): Promise<ReconBreak[]> {
  // Open breaks are few, but MariaDB may prefer to read all.
  const breaks =
    lineId === undefined
      ? session('recon_breaks as b')
      : byIndex(session, 'recon_breaks', 'b', 'recon_breaks_status_since');
  const query = breaks.select(BREAK.columns('b')).orderBy(['b.since', 'b.class', 'b.fingerprint']);
  if (classes !== undefined) void query.whereIn('b.class', [...classes]);
  if (resolutions !== undefined) void query.where('b.status', 'resolved').whereIn('b.resolution', [...resolutions]);
  else if (!includeResolved) void query.whereIn('b.status', OPEN_STATUSES);
  // The subject is JSON, and a line id has no character that JSON escapes.
  if (lineId !== undefined) void query.whereRaw('instr(b.subject, ?) > 0', [`"${lineId}"`]);
  if (limit !== undefined) void query.limit(limit);
  return BREAK.all(query);
}

function changeDetail(now: NewBreak): BreakEvent['detail'] {
  return {
    ...(now.amount === undefined ? {} : { amountMillimes: now.amount }),
    items: now.subject.itemIds.length,
    lines: now.subject.lineIds.length,
    direction: now.direction,
  };
}

function contentRow({ since, amount, direction, subject }: NewBreak): Record<string, unknown> {
  return BREAK.write({ since, amount, direction, subject });
}

function breakRow(id: string, now: NewBreak, at: Instant): Record<string, unknown> {
  const { fingerprint, breakClass } = now;
  const fresh = { status: 'open', openedAt: at, resolvedAt: undefined, resolution: undefined } as const;
  return { ...BREAK.write({ id, fingerprint, breakClass, ...fresh }), ...contentRow(now), updated_at: at };
}
