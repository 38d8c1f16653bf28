import type { Session } from '../../db';
import { addToGroup, type Notice } from '../../kernel';
import { type KnownAccounts, namesOf } from '../known-accounts';
import type { Statement } from '../statement-records';
import { openKnownRows } from './known-rows-store';

/** Fewer lines are alike by chance, such as the same fee of two accounts. */
const ALIKE_LINES_MIN = 3;

/**
 * Warns of statements that another account seems to have under a mistyped number: the same days, number of lines and
 * totals, and at least three lines or the same balances. One notice for each pair of accounts.
 */
export async function warnOfAlike(
  session: Session,
  statements: readonly Statement[],
  known: KnownAccounts,
): Promise<Notice[]> {
  const days = statements.flatMap(({ firstDate }) => firstDate ?? []).sort();
  const [from, through] = [days[0], days.at(-1)];
  if (from === undefined || through === undefined) return [];
  const stored = new Map<string, Statement[]>();
  for (const each of await openKnownRows(session).beginningWithin(from, through)) {
    addToGroup(stored, figuresOf(each), each);
  }
  const warnings = new Map<string, Notice>();
  for (const statement of statements) {
    const names = namesOf(statement.account, known);
    const alike = stored.get(figuresOf(statement)) ?? [];
    for (const other of alike.filter(({ account }) => !names.includes(account))) {
      if (!isTelling(statement, other)) continue;
      const account = known.decided.get(other.account) ?? other.account;
      const pair = `${statement.account} ${account}`;
      if (!warnings.has(pair)) warnings.set(pair, textOf(statement, other, account));
    }
  }
  return [...warnings.values()];
}

function figuresOf({ currency, firstDate, lastDate, entries, creditsMinor, debitsMinor }: Statement): string {
  return JSON.stringify([currency, firstDate, lastDate, entries, creditsMinor, debitsMinor]);
}

function isTelling(a: Statement, b: Statement): boolean {
  if (a.entries >= ALIKE_LINES_MIN) return true;
  return a.openingMinor === b.openingMinor && a.closingMinor === b.closingMinor && (a.openingMinor ?? 0) !== 0;
}

function textOf({ account, firstDate, lastDate }: Statement, other: Statement, otherAccount: string): Notice {
  const join = (name: string, into: string): string =>
    `"millime statements accounts join ${name} --into ${into} --reason ..." if ${into} is right`;
  return {
    text:
      `the statement of account ${account} of ${firstDate} through ${lastDate} has the days and totals of statement ` +
      `${other.id} of account ${otherAccount}; if both are one account, its money counts twice`,
    command: `after the import, run ${join(otherAccount, account)}, or ${join(account, otherAccount)}`,
  };
}
