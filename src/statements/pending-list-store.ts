import { afterKey, column, type Decoded, rowCodec, type Session } from '../db';
import { compareBytes, mergeByKey, type Page, pageByKey } from '../kernel';
import { openAccounts, rootInSql } from './account-store';
import { isLoaded } from './effective-lines';
import type { PendingEntry } from './statement-records';
import { onlyVisible, PENDING, STATEMENT } from './statement-rows';

/** The place of an announced entry in its report, by account. */
export type PendingKey = readonly [account: string, position: number, id: string];

export interface PendingQuery {
  /** An account in any form. */
  readonly account?: string | undefined;
  readonly after?: PendingKey | undefined;
  readonly limit: number;
}

/** Selects whether a line of a fully loaded file booked the entry `p`. */
const IS_BOOKED =
  `case when exists (select 1 from pending_replacements b join bank_statement_lines n on n.id = b.line_id` +
  ` join bank_statements o on o.id = n.statement_id where b.pending_id = p.id and ${isLoaded('o')})` +
  ` then 1 else 0 end as is_booked`;

const REPORT = rowCodec({ id: STATEMENT.fields.id, account: STATEMENT.fields.account });
type Report = Decoded<typeof REPORT>;
const BOOKED = rowCodec({ isBooked: column.flag('is_booked') });
const EXAMINED = rowCodec({ ...PENDING.fields, ...BOOKED.fields });
type Examined = Decoded<typeof EXAMINED>;

/** Returns a page of the entries of the last announcing report of each account that no line has booked since. */
export async function listPending(
  session: Session,
  { account, after: first, limit }: PendingQuery,
): Promise<Page<PendingEntry, PendingKey>> {
  const names = account === undefined ? undefined : await openAccounts(session).namesOfAny(account);
  const reports = (await lastReports(session)).filter(({ account: each }) => names?.includes(each) ?? true);
  const keyOf = (entry: PendingEntry): PendingKey => [entry.account, entry.position, entry.id];
  const { rows, next } = await pageByKey<Examined, PendingKey>({
    async read(after, count) {
      const lists: Examined[][] = [];
      for (const report of reports) lists.push(await entriesOf(session, report, after, count));
      return mergeByKey(lists, keyOf, 'asc', count);
    },
    keyOf,
    keep: ({ isBooked }) => !isBooked,
    ...{ after: first, limit },
  });
  return { rows: rows.map(({ isBooked: _isBooked, ...entry }) => entry), next };
}

/** Returns the last announcing report of each account and currency. */
function lastReports(session: Session): Promise<Report[]> {
  const last = onlyVisible(session('bank_statements as s'))
    .max('s.id as id')
    .where('s.pending_entries', '>', 0)
    .groupByRaw(`${rootInSql('s.account')}, s.currency`)
    .as('last');
  return REPORT.all(session('bank_statements as s').join(last, 'last.id', 's.id').select(REPORT.columns('s')));
}

async function entriesOf(
  session: Session,
  report: Report,
  after: PendingKey | undefined,
  count: number,
): Promise<Examined[]> {
  const [account, ...place] = after ?? [report.account];
  const order = compareBytes(report.account, account);
  if (order < 0) return [];
  const query = session('pending_entries as p').select(...PENDING.columns('p'), session.fragment(IS_BOOKED));
  const behind = after === undefined || order > 0 ? undefined : place;
  return EXAMINED.all(
    afterKey(
      session,
      query,
      { equal: { 'p.statement_id': report.id }, columns: ['p.position', 'p.id'], order: 'asc', after: behind },
      count,
    ),
  );
}
