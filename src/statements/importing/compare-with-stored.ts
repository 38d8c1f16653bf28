import { ROWS_PER_STATEMENT, type Session } from '../../db';
import { AppError, isChangedBySpreadsheet, isOutsideId, keyFault, type Notice, pagesOf } from '../../kernel';
import { openAccounts } from '../account-store';
import { accountOf, type KnownAccounts, namesOf, unprovenAccount } from '../known-accounts';
import { fileFault } from '../reading/refusal';
import type { Statement } from '../statement-records';
import { differingTexts, type ReadFile } from './differing-texts';
import type { Duplicate, ReadStored, WholeAndStatement } from './duplicate';
import { openKnownRows } from './known-rows-store';
import { newStatement, requireAccount } from './new-statement';

/**
 * Checks again that the accounts of statements are those that the check found, because another import or a person may
 * have decided since.
 */
export async function requireSameAccounts(
  read: ReadStored,
  wholes: readonly WholeAndStatement[],
  given: string | undefined,
): Promise<void> {
  const known = await read((session) => openAccounts(session).known());
  const changed = wholes.find(({ whole, statement }) => accountOf(requireAccount(whole), known) !== statement.account);
  if (changed !== undefined) throw new AppError('account_renamed', { account: changed.statement.account });
  if (given === undefined) {
    requireProvenAccounts(
      wholes.map(({ statement }) => statement.account),
      known,
    );
  }
}

/**
 * Refuses a new account whose number cannot be right, unless it is the first one. A person confirms it by naming it.
 * @throws AppError `bad_input`.
 */
export function requireProvenAccounts(accounts: readonly string[], known: KnownAccounts): void {
  const account = unprovenAccount(accounts, known);
  if (account === undefined) return;
  const isOne = new Set(accounts).size === 1;
  throw new AppError('account_unproven', {
    field: 'account',
    fault: `${keyFault(account) ?? ''}, and no statement of account ${account} is stored; nothing was stored`,
    command:
      `check the number, then ${isOne ? `import with --account ${account}, or ` : ''}` +
      `run "millime statements accounts accept ${account} --reason ..." once`,
  });
}

/** A name without digits, or with hidden ones, does not distinguish an account from others. */
const NO_NUMBER = /^\D*$|[*•]|x{3}/iu;

/**
 * Returns the refusal of an account that a person gives although the file names another one: a mistyped account stores
 * the movements a second time. Undefined if the file's name was changed by a spreadsheet or has no number.
 */
export function otherAccountRefusal(ofFile: string, given: string, known: KnownAccounts): AppError | undefined {
  if (isChangedBySpreadsheet(ofFile) || NO_NUMBER.test(ofFile)) return undefined;
  if (isChangedBySpreadsheet(given) || !isOutsideId(given)) return undefined; // refused in any case
  return new AppError('account_differs', {
    field: 'account',
    expected: `${ofFile}, which the file names, or another name of that account`,
    got: given,
    command:
      'import without --account; if the file names the wrong account, run ' +
      `${commandsToJoin(ofFile, given, known)} once, then import again`,
  });
}

/** Returns a warning if the bytes of a file are stored under another account than the one that a person gives. */
export function storedUnderOther(stored: string, given: string, known: KnownAccounts): Notice[] {
  if (stored === given || isChangedBySpreadsheet(given) || !isOutsideId(given)) return [];
  const commands = commandsToJoin(stored, given, known);
  return [
    {
      text: `the file is stored under account ${stored}, not ${given}`,
      command: `if both are one account, and ${given} is its name, run ${commands}`,
    },
  ];
}

/** An account that is not known is accepted first, so that a name can be joined to it. */
function commandsToJoin(name: string, account: string, known: KnownAccounts): string {
  const isKnown = known.stored.includes(account) || known.decided.has(account);
  const accept = isKnown ? '' : `"millime statements accounts accept ${account} --reason ..." and `;
  return `${accept}"millime statements accounts join ${name} --into ${account} --reason ..."`;
}

/**
 * Returns the statements that another file has, or that this one has twice.
 * @throws AppError if all of them are; it names the lines whose texts differ.
 */
export async function findDuplicates(
  read: ReadStored,
  wholes: readonly WholeAndStatement[],
  file: ReadFile,
): Promise<Duplicate[]> {
  const ofThisFile = new Map<string, Statement>();
  const duplicates: Duplicate[] = [];
  for (const page of pagesOf(wholes, ROWS_PER_STATEMENT)) {
    await read(async (session) => {
      const known = await openAccounts(session).known();
      for (const { whole, statement } of page) {
        const stored = await findStored(session, { whole, statement }, namesOf(statement.account, known));
        const before = stored ?? ofThisFile.get(statement.fingerprint);
        if (before === undefined) ofThisFile.set(statement.fingerprint, statement);
        else duplicates.push({ statement, before });
      }
    });
  }
  if (duplicates.length === wholes.length) {
    throw allDuplicates(duplicates, await differingTexts(read, file, wholes, duplicates));
  }
  return duplicates;
}

/** Returns the same statement of another file, under any of these names of its account. */
async function findStored(
  session: Session,
  { whole, statement }: WholeAndStatement,
  names: readonly string[],
): Promise<Statement | undefined> {
  for (const account of names) {
    const named = account === statement.account ? statement : newStatement(whole, { ...statement, account });
    const [stored] = await openKnownRows(session).sameStatements(named);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

function allDuplicates(duplicates: readonly Duplicate[], texts: readonly string[]): AppError {
  const fault = 'all its statements were imported before, in another file';
  const stored = duplicates.map(({ statement, before }) => {
    const number = statement.number === '' ? '' : ` ${statement.number}`;
    return `statement${number} of account ${statement.account} is stored as ${before.id}`;
  });
  if (texts.length === 0) return fileFault(fault, { code: 'statements_known', details: stored });
  return fileFault(`${fault}, with other texts`, {
    code: 'statements_known',
    fix: 'compare these texts with the bank; the stored ones stay',
    command: '"millime statements mark-payouts" and "unmark-payouts" correct which credits are payouts',
    details: [...texts, ...stored],
  });
}
