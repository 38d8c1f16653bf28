import type { Database } from '../../db';
import { accountKey, keyFault } from '../../kernel';
import { openAccounts } from '../account-store';
import { accountOf, namesOf } from '../known-accounts';
import { type Coverage, coverageByName, coverageOf } from './coverage-store';

/** A bank account with its names. */
export interface ListedAccount {
  readonly account: string;
  /** The other names that people joined to it. */
  readonly joined: readonly string[];
  /** Names of stored statements that are another form of this account and are not joined to it. */
  readonly toJoin: readonly string[];
  /** Why its number cannot be a Tunisian account; undefined if it can, or if it is another name. */
  readonly keyFault: string | undefined;
  /** What its statements cover, by currency; empty without statements. */
  readonly coverage: readonly Coverage[];
  /** The last decision of a person about its own number. */
  readonly accepted: { readonly at: number; readonly by: string; readonly reason: string } | undefined;
}

/** Returns the bank accounts, in the order of their first statements, and accepted ones without statements last. */
export function listAccounts(database: Database): Promise<ListedAccount[]> {
  return database.read(
    async (session) => {
      const store = openAccounts(session);
      const known = await store.known();
      const decisions = await store.decisions();
      const coverage = await coverageByName(session);
      const accounts = new Set([
        ...known.stored.map((name) => known.decided.get(name) ?? name),
        ...known.decided.values(),
      ]);
      return [...accounts].map((account) => {
        const names = namesOf(account, known);
        const own = decisions.find((each) => each.name === account && each.account === account);
        return {
          account,
          joined: names.slice(1),
          toJoin: known.stored.filter(
            (name) =>
              !names.includes(name) && accountOf(accountKey(name), known) === account && accountKey(name) !== name,
          ),
          keyFault: keyFault(accountKey(account)),
          coverage: coverageOf(names, coverage),
          accepted: own && { at: own.decidedAt, by: own.decidedBy, reason: own.reason },
        };
      });
    },
    { snapshot: true },
  );
}
