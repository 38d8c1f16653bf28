import { afterKey, byIndex, column, type Decoded, rowCodec, type Session } from '../../db';
import { mergeByKey, type Page, pageByKey } from '../../kernel';
import { BREAK } from '../break-store';
import { BREAK_STATUSES, type BreakStatus } from '../recon-break';
import type { BreakFilter, BreakKey, BreakPageQuery } from './break-view';

const { id, fingerprint, breakClass, status, since, amount, openedAt, resolvedAt } = BREAK.fields;
const OF_BREAK = rowCodec({ id, fingerprint, breakClass, status, since, amount, openedAt, resolvedAt });
const ASSIGNEE = rowCodec({ assignee: column.optional(column.text('assignee')) });
/** The columns that a page examines. Only the breaks of the page need the others, among them their rows. */
const EXAMINED = rowCodec({ ...OF_BREAK.fields, ...ASSIGNEE.fields });
export type ExaminedBreak = Decoded<typeof EXAMINED>;

const UNRESOLVED = BREAK_STATUSES.filter((each) => each !== 'resolved');

/**
 * Returns a page of breaks by day, class and fingerprint. It examines at most 2,000 breaks of each state.
 *
 * @param isUrgent Checks the conditions that depend on the calendar.
 */
export async function listBreakPage(
  session: Session,
  query: BreakPageQuery,
  isUrgent: (row: ExaminedBreak) => boolean,
): Promise<Page<ExaminedBreak, BreakKey>> {
  const { statuses = UNRESOLVED, sort = 'since', limit } = query;
  const order = sort === 'since' ? 'asc' : 'desc';
  return pageByKey<ExaminedBreak, BreakKey>({
    async read(after, count) {
      const lists: ExaminedBreak[][] = [];
      for (const each of new Set(statuses)) {
        lists.push(await ofStatus(session, each, { ...query, order, after, count }));
      }
      return mergeByKey(lists, keyOf, order, count);
    },
    keyOf,
    keep: (row) => isWanted(row, query) && isUrgent(row),
    ...{ after: query.after, limit },
  });
}

function keyOf(row: ExaminedBreak): BreakKey {
  return [row.since, row.breakClass, row.fingerprint];
}

interface Range extends Pick<BreakFilter, 'since'> {
  readonly order: 'asc' | 'desc';
  readonly after: BreakKey | undefined;
  readonly count: number;
}

function ofStatus(session: Session, of: BreakStatus, { since: from, order, after, count }: Range) {
  const query = byIndex(session, 'recon_breaks', 'b', 'recon_breaks_status_since')
    .leftJoin('break_assignments as a', 'a.break_id', 'b.id')
    .select(...OF_BREAK.columns('b'), ...ASSIGNEE.columns('a'));
  if (from !== undefined) void query.where('b.since', '>=', from);
  return EXAMINED.all(
    afterKey(
      session,
      query,
      { equal: { 'b.status': of }, columns: ['b.since', 'b.class', 'b.fingerprint'], order, after },
      count,
    ),
  );
}

function isWanted(row: ExaminedBreak, { classes, assignee, minAmount }: BreakFilter): boolean {
  return (
    (classes === undefined || classes.includes(row.breakClass)) &&
    (assignee === undefined || assignee === (row.assignee ?? null)) &&
    (minAmount === undefined || (row.amount !== undefined && Math.abs(row.amount) >= minAmount))
  );
}
