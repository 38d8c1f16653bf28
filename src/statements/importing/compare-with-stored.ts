import { ROWS_PER_STATEMENT, type Session } from '../../db';
import { AppError, pagesOf } from '../../kernel';
import { openAccounts } from '../accounts/account-store';
import { accountOf } from '../accounts/known-accounts';
import type { WholeStatement } from '../reading/join-pages';
import { fileFault } from '../reading/refusal';
import type { Statement } from '../statement-records';
import { openKnownRows } from './known-rows-store';
import { requireAccount } from './new-statement';

/** Runs SELECTs on the stored statements. */
export type ReadStored = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

export interface Duplicate {
  readonly statement: Statement;
  /** The same statement as it was imported before. */
  readonly before: Statement;
}

interface Named {
  readonly whole: WholeStatement;
  readonly statement: Statement;
}

/** Refuses to write statements under names that are no longer those of their accounts. */
export async function requireSameAccounts(read: ReadStored, wholes: readonly Named[]): Promise<void> {
  const known = await read((session) => openAccounts(session).known());
  const changed = wholes.find(({ whole, statement }) => accountOf(requireAccount(whole), known) !== statement.account);
  if (changed === undefined) return;
  throw new AppError('account_renamed', { account: changed.statement.account });
}

/** Returns the statements that another file has, or that this one has twice. @throws AppError if all of them are. */
export async function findDuplicates(read: ReadStored, statements: readonly Statement[]): Promise<Duplicate[]> {
  const ofThisFile = new Map<string, Statement>();
  const duplicates: Duplicate[] = [];
  for (const page of pagesOf(statements, ROWS_PER_STATEMENT)) {
    await read(async (session) => {
      for (const statement of page) {
        const [stored] = await openKnownRows(session).sameStatements(statement);
        const before = stored ?? ofThisFile.get(statement.fingerprint);
        if (before === undefined) ofThisFile.set(statement.fingerprint, statement);
        else duplicates.push({ statement, before });
      }
    });
  }
  if (duplicates.length === statements.length) throw allDuplicates(duplicates);
  return duplicates;
}

function allDuplicates(duplicates: readonly Duplicate[]): AppError {
  return fileFault('all its statements were imported before, in another file', {
    code: 'statements_known',
    details: duplicates.map(({ statement, before }) => {
      const number = statement.number === '' ? '' : ` ${statement.number}`;
      return `statement${number} of account ${statement.account} is stored as ${before.id}`;
    }),
  });
}
