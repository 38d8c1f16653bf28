import { column, type Decoded, rowCodec, type Session } from '../db';
import { findAccount, type KnownAccounts, namesOf } from './known-accounts';
import { onlyVisible, STATEMENT } from './statement-rows';

/** Reads the bank accounts of fully loaded files, and the names that people decided on. */
export interface AccountStore {
  known(): Promise<KnownAccounts>;
  /** Returns the names under which the statements of the same account are stored, its own first. */
  namesOf(account: string): Promise<string[]>;
  /** The same, of an account that a person names in any form. */
  namesOfAny(text: string): Promise<string[]>;
  /** Returns the account that a stored name belongs to. */
  rootOf(name: string): Promise<string>;
  /** Adds decisions. Fails with `duplicate_key` if one of them exists. */
  add(names: readonly NewAccountName[]): Promise<void>;
  decisions(): Promise<NewAccountName[]>;
}

const NAME = rowCodec({
  id: column.text('id'),
  name: column.text('name'),
  account: column.text('account'),
  decidedAt: column.number('decided_at'),
  decidedBy: column.text('decided_by'),
  reason: column.text('reason'),
});
const ACCOUNT = rowCodec({ account: STATEMENT.fields.account });

/** A decision about a name. `account` is the name itself if a person accepted it as an account. */
export type NewAccountName = Decoded<typeof NAME>;

export function openAccounts(session: Session): AccountStore {
  const decisions = (): Promise<NewAccountName[]> =>
    NAME.all(session('bank_account_names as n').select(NAME.columns('n')).orderBy('n.id'));
  const decided = async (): Promise<ReadonlyMap<string, string>> =>
    // The last decision on a name counts.
    new Map((await decisions()).map(({ name, account }) => [name, account]));
  const rootOf = async (name: string): Promise<string> => (await decided()).get(name) ?? name;
  const known = async (): Promise<KnownAccounts> => {
    const stored = await ACCOUNT.all(
      onlyVisible(session('bank_statements as s')).select('s.account').groupBy('s.account').orderByRaw('min(s.id)'),
    );
    return { stored: stored.map(({ account }) => account), decided: await decided() };
  };
  return {
    known,
    async namesOfAny(text) {
      const accounts = await known();
      return namesOf(findAccount(text, accounts), accounts);
    },
    async namesOf(account) {
      const names = await decided();
      return namesOf(names.get(account) ?? account, { decided: names });
    },
    rootOf,
    async add(names) {
      await session('bank_account_names').insert(names.map((name) => NAME.write(name)));
    },
    decisions,
  };
}

/** Returns the account of the stored name in a column, in SQL, by the decisions `n` that fulfill a condition. */
export function rootInSql(column: string, condition = '1 = 1'): string {
  return (
    `coalesce((select n.account from bank_account_names n where n.name = ${column} and ${condition}` +
    ` order by n.id desc limit 1), ${column})`
  );
}
