import { ROWS_PER_STATEMENT, type Session } from '../../db';
import { AppError, pagesOf } from '../../kernel';
import { fileFault } from '../reading/refusal';
import type { Statement } from '../statement-records';
import { openKnownRows } from './known-rows-store';

/** Runs SELECTs on the stored statements. */
export type ReadStored = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

export interface Duplicate {
  readonly statement: Statement;
  /** The same statement as it was imported before. */
  readonly before: Statement;
}

/** Refuses a second name of a stored account, because each movement would be posted twice. */
export async function requireOneName(read: ReadStored, statements: readonly Statement[]): Promise<void> {
  const accounts = [...new Set(statements.map(({ account }) => account))];
  const found = await read((session) => openKnownRows(session).namesOf(accounts));
  const [known] = found.filter((name) => !accounts.includes(name));
  if (known === undefined) return;
  throw new AppError('account_renamed', {
    field: 'account',
    expected: `${known}, the name of the account in stored statements`,
    got: accounts.join(', '),
    fix: `nothing was stored; import the file with ${known}, because a RIB and its IBAN are one account`,
  });
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
