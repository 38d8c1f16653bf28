import { afterKey, column, type Decoded, rowCodec, type Session } from '../db';
import { type Page, pageByKey } from '../kernel';
import { openAccounts } from './account-store';
import { isLoaded } from './effective-lines';
import type { ListedStatement } from './statement-records';
import { STATEMENT } from './statement-rows';
import { IS_WAITING, openStatements } from './statement-store';

/** The id of a statement. Ids rise from import to import. */
export type StatementKey = readonly [id: string];

export interface StatementQuery {
  /** An account in any form. */
  readonly account?: string | undefined;
  /** Only statements that wait until a person accepts or excludes them. */
  readonly waiting?: boolean | undefined;
  readonly after?: StatementKey | undefined;
  readonly limit: number;
}

const EXAMINED = rowCodec({
  id: STATEMENT.fields.id,
  account: STATEMENT.fields.account,
  isLoading: column.flag('is_loading'),
  isWaiting: column.flag('is_waiting'),
});
/** Not a join: MariaDB may begin one at the files, and then it reads all statements. */
const IS_LOADING = `case when ${isLoaded('s')} then 0 else 1 end as is_loading`;
type Examined = Decoded<typeof EXAMINED>;

/** Returns a page of statements, those of the newest files first. It examines at most 2,000 of them. */
export async function listStatements(
  session: Session,
  { account, waiting = false, after: first, limit }: StatementQuery,
): Promise<Page<ListedStatement, StatementKey>> {
  const names = account === undefined ? undefined : await openAccounts(session).namesOfAny(account);
  const { rows, next } = await pageByKey<Examined, StatementKey>({
    read(after, count) {
      const isWaiting = session.fragment(waiting ? IS_WAITING : '0 as is_waiting');
      const query = session('bank_statements as s').select(
        's.id',
        's.account',
        session.fragment(IS_LOADING),
        isWaiting,
      );
      return EXAMINED.all(afterKey(session, query, { columns: ['s.id'], order: 'desc', after }, count));
    },
    keyOf: ({ id }) => [id],
    keep: (row) =>
      !row.isLoading && (names === undefined || names.includes(row.account)) && (!waiting || row.isWaiting),
    ...{ after: first, limit },
  });
  const ids = rows.map(({ id }) => id);
  const found = new Map((await openStatements(session).byIds(ids)).map((each) => [each.statement.id, each]));
  return { rows: ids.flatMap((id) => found.get(id) ?? []), next };
}
