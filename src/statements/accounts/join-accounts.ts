import type { Database, Session } from '../../db';
import { type Actor, checkReason, openAuditTrail, requireScope } from '../../identity';
import { AppError, type BusinessCalendar, type Clock, isChangedBySpreadsheet, isOutsideId, newId } from '../../kernel';
import type { Logger } from '../../logging';
import { openAccounts } from '../account-store';
import { openChain } from '../chain/chain-store';
import { findContradiction } from '../chain/find-contradiction';
import { describeDiscontinuity, syncStatementGaps } from '../chain/sync-statement-gaps';
import { postOpening } from '../effective/post-lines';
import { importRunning } from '../import-running';
import { findAccount, type KnownAccounts, namesOf, typedName } from '../known-accounts';
import { openLoads } from '../load-store';
import { openOverlaps } from './overlap-store';

export interface AccountDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
}

export interface AccountDecision {
  /** The name, in any form. */
  readonly name: string;
  readonly reason: string;
  readonly actor: Actor;
  /** Checks everything, but changes nothing. */
  readonly dryRun?: boolean;
}

export interface JoinCommand extends AccountDecision {
  /** The account that the name belongs to. */
  readonly into: string;
}

export interface AccountDecided {
  /** `already`: it was decided before, or needs no decision, and nothing changed. */
  readonly kind: 'joined' | 'accepted' | 'already';
  readonly name: string;
  readonly account: string;
  /** One text for each pair of statements of the account whose balances do not follow. */
  readonly warnings: readonly string[];
}

/**
 * Confirms the number of an account, so that its statements can be imported although its key is wrong.
 * @throws AppError `bad_input` for an empty reason or a name that is no account.
 */
export async function acceptAccount(
  { database, clock, logger }: AccountDeps,
  { name: text, reason, actor, dryRun = false }: AccountDecision,
): Promise<AccountDecided> {
  requireScope(actor, 'statements:accept');
  checkReason(reason, 'why the number of the account is right');
  const at = clock.now();
  const decided = await database.transact(
    async (session): Promise<AccountDecided> => {
      const known = await openAccounts(session).known();
      const account = requireName('name', findAccount(text, known));
      if (known.stored.includes(account) || known.decided.has(account)) {
        return { kind: 'already', name: account, account, warnings: [] };
      }
      await decide(session, [account], account, { at, reason, actor });
      return { kind: 'accepted', name: account, account, warnings: [] };
    },
    // Of two concurrent acceptances, the second reads the first.
    { retryDuplicate: true, dryRun },
  );
  log({ logger, dryRun, actor }, decided);
  return decided;
}

/**
 * Joins a name to an account: the statements under both names are one chain from now on, and files that state either
 * name bring statements of the account. Rows stay as they are. The opening balance that both posted is corrected.
 *
 * @throws AppError `not_found` for an account without statements; `bad_input` for an empty reason; `account_joined` if
 * both are one account; `accounts_overlap` if both have movements of one day; `import_running` while a file is imported.
 */
export async function joinAccounts(
  deps: AccountDeps,
  { name: text, into, reason, actor, dryRun = false }: JoinCommand,
): Promise<AccountDecided> {
  requireScope(actor, 'statements:accept');
  checkReason(reason, 'why both names are one account');
  const at = deps.clock.now();
  const decided = await deps.database.transact(
    async (session): Promise<AccountDecided> => {
      const accounts = openAccounts(session);
      await accounts.lock();
      // An import compares its statements with those of its account, so they must not change meanwhile.
      const load = await openLoads(session).current();
      if (load !== undefined && !load.expired) throw importRunning(load, deps.calendar);
      const { name, account, names } = requireTwoAccounts(await accounts.known(), text, into);
      if (names.length === 0) return { kind: 'already', name, account, warnings: [] };
      await decide(session, names, account, { at, reason, actor });
      await requireNoOverlap(session, names, account);
      const warnings = await followJoin(session, deps, account, { at, actor: actor.name });
      return { kind: 'joined', name, account, warnings };
    },
    { retryDuplicate: true, dryRun },
  );
  log({ ...deps, dryRun, actor }, decided);
  return decided;
}

/** Returns the names that a join decides on: the name, and those that were joined to it before. */
function requireTwoAccounts(
  known: KnownAccounts,
  text: string,
  into: string,
): { readonly name: string; readonly account: string; readonly names: readonly string[] } {
  const name = requireName('name', typedName(text, known));
  const account = requireName('into', findAccount(into, known));
  if (!known.stored.includes(account) && !known.decided.has(account)) {
    throw new AppError('not_found', { thing: 'account', id: into, fix: 'run "millime statements accounts list"' });
  }
  if (known.decided.get(name) === account) return { name, account, names: [] };
  // A name that was joined to another account belongs to it with all the others.
  const root = known.decided.get(name) ?? name;
  if (root === account) throw new AppError('account_joined', { name, account });
  return { name, account, names: [...new Set([...namesOf(root, known), name])] };
}

function requireName(field: string, name: string): string {
  if (isOutsideId(name) && !isChangedBySpreadsheet(name)) return name;
  if (field === 'name' && isOutsideId(name)) return name;
  throw new AppError('bad_input', { field, expected: 'the name of a bank account', got: name });
}

async function decide(
  session: Session,
  names: readonly string[],
  account: string,
  { at, reason, actor }: { readonly at: number; readonly reason: string; readonly actor: Actor },
): Promise<void> {
  await openAccounts(session).add(
    names.map((name) => ({ id: newId(), name, account, decidedAt: at, decidedBy: actor.name, reason })),
  );
  for (const name of names) {
    await openAuditTrail(session).record({
      at,
      actor,
      action: name === account ? 'account.accepted' : 'account.joined',
      subject: `bank_account:${name}`,
      detail: { account, reason },
    });
  }
}

/** Refuses a join of accounts that both have the movements of one day, because the ledger has that money twice. */
async function requireNoOverlap(session: Session, names: readonly string[], account: string): Promise<void> {
  const doubled = await openOverlaps(session).doubledLine(names, account);
  if (doubled !== undefined) throw new AppError('accounts_overlap', { account, ...doubled });
  for (const name of names) {
    for (const statement of await openOverlaps(session).statementsOf(name)) {
      const found = await findContradiction(openChain(session), statement);
      if (found === undefined) continue;
      const { other, day } = found;
      throw new AppError('accounts_overlap', { name, account, statementId: statement.id, otherId: other.id, day });
    }
  }
}

/** Corrects what depends on the statements of the whole account: its opening balance, and its breaks. */
async function followJoin(
  session: Session,
  deps: AccountDeps,
  account: string,
  by: { readonly at: number; readonly actor: string },
): Promise<string[]> {
  await postOpening(session, deps, account);
  const warnings: string[] = [];
  for (const currency of await openOverlaps(session).currenciesOf(account)) {
    const found = await syncStatementGaps(session, { account, currency }, by);
    warnings.push(...found.map(describeDiscontinuity));
  }
  return warnings;
}

function log(
  { logger, dryRun, actor }: { readonly logger: Logger; readonly dryRun: boolean; readonly actor: Actor },
  { kind, name, account }: AccountDecided,
): void {
  if (dryRun || kind === 'already') return;
  logger.info(kind === 'joined' ? 'account joined' : 'account accepted', {
    event: kind === 'joined' ? 'statements.account_joined' : 'statements.account_accepted',
    name,
    account,
    actor: actor.name,
  });
}
