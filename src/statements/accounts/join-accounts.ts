import type { Database, Session } from '../../db';
import { type Actor, checkReason, openAuditTrail, requireScope } from '../../identity';
import {
  AppError,
  type BusinessCalendar,
  type Clock,
  isChangedBySpreadsheet,
  isOutsideId,
  MINUTE_MS,
  newId,
  ZERO_MILLIMES,
} from '../../kernel';
import type { Logger } from '../../logging';
import { openAccounts } from '../account-store';
import { openChain } from '../chain/chain-store';
import { describeDifferences, findContradiction, findOtherBalance } from '../chain/find-contradiction';
import { describeDiscontinuity, syncStatementGaps } from '../chain/sync-statement-gaps';
import { postLines, postOpening } from '../effective/post-lines';
import { findAccount, type KnownAccounts, namesOf, typedName } from '../known-accounts';
import { importRunning, openLoads } from '../load-store';
import { waitForOtherDecisions } from '../other-decisions';
import { openOverlaps } from './overlap-store';
import { type RepeatDeps, type RepeatedSum, repeatLines } from './repeat-lines';

export interface AccountDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
}

export type JoinDeps = AccountDeps & RepeatDeps;

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
  /** Whether no stored statement has the name, and one text for each pair of statements whose balances do not follow. */
  readonly warnings: readonly string[];
  /** Lines that were stored under both names, and count once from now on. */
  readonly repeated: RepeatedSum;
}

const NONE_REPEATED: RepeatedSum = { lines: 0, credits: ZERO_MILLIMES, debits: ZERO_MILLIMES };
/** Joining repeats as many lines as were imported twice. */
const JOIN_DEADLINE_MS = MINUTE_MS;

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
        return { kind: 'already', name: account, account, warnings: [], repeated: NONE_REPEATED };
      }
      await decide(session, [account], account, { at, reason, actor });
      return { kind: 'accepted', name: account, account, warnings: [], repeated: NONE_REPEATED };
    },
    // Of two concurrent acceptances, the second reads the first.
    { retryDuplicate: true, dryRun },
  );
  log({ logger, dryRun, actor }, decided);
  return decided;
}

/**
 * Joins a name to an account: the statements under both names are one chain from now on, and files that state either
 * name bring statements of the account. Rows stay as they are. The opening balance that both posted is corrected, and a
 * movement that both posted counts once.
 *
 * @throws AppError `not_found` for an account without statements; `bad_input` for an empty reason; `account_joined` if
 * both are one account; `accounts_overlap` if the movements of one day differ; `movement_used_twice` if a movement is
 * matched under both names; `import_running` while a file is imported.
 */
export async function joinAccounts(
  deps: JoinDeps,
  { name: text, into, reason, actor, dryRun = false }: JoinCommand,
): Promise<AccountDecided> {
  requireScope(actor, 'statements:accept');
  checkReason(reason, 'why both names are one account');
  const at = deps.clock.now();
  // A line can be reversed once it is posted.
  if (!dryRun) await postLines(deps);
  const decided = await deps.database.transact(
    async (session): Promise<AccountDecided> => {
      const accounts = openAccounts(session);
      await waitForOtherDecisions(session);
      await requireNoImport(session, deps);
      const known = await accounts.known();
      const { name, account, names } = requireTwoAccounts(known, text, into);
      if (names.length === 0) return { kind: 'already', name, account, warnings: [], repeated: NONE_REPEATED };
      await decide(session, names, account, { at, reason, actor });
      const repeated = await repeatLines(session, deps, { names, account, at, actor: actor.name, reason });
      await requireNoContradiction(session, names, account);
      const warnings = names.some((each) => known.stored.includes(each)) ? [] : [withoutStatements(name, account)];
      warnings.push(...(await followJoin(session, deps, account, { at, actor: actor.name })));
      await requireNoImport(session, deps);
      return { kind: 'joined', name, account, warnings, repeated };
    },
    { retryDuplicate: true, dryRun, deadlineMs: JOIN_DEADLINE_MS },
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
    throw new AppError('not_found', { thing: 'account', id: into, command: 'run "millime statements accounts list"' });
  }
  if (known.decided.get(name) === account) return { name, account, names: [] };
  // A name that was joined to another account belongs to it with all the others.
  const root = known.decided.get(name) ?? name;
  if (root === account) throw new AppError('account_joined', { name, into: typedName(into, known), account });
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

/** An import compares its statements with those of its account, so they must not change meanwhile. */
async function requireNoImport(session: Session, { calendar }: AccountDeps): Promise<void> {
  const load = await openLoads(session).current();
  if (load !== undefined && !load.expired) throw importRunning(load, calendar);
}

/** Refuses a join of accounts with different movements or balances of one day, and names them. */
async function requireNoContradiction(session: Session, names: readonly string[], account: string): Promise<void> {
  const chain = openChain(session);
  for (const name of names) {
    for (const statement of await openOverlaps(session).statementsOf(name)) {
      const found = (await findContradiction(chain, statement)) ?? (await findOtherBalance(chain, statement, names));
      if (found === undefined) continue;
      const { other, day } = found;
      const places = { name, account, statementId: statement.id, otherId: other.id, day };
      throw new AppError('accounts_overlap', places, { details: await describeDifferences(chain, statement, found) });
    }
  }
}

/** A name without statements is a typing error, or the name that a later file will state. */
function withoutStatements(name: string, account: string): string {
  return `no stored statement has the name ${name}; each file that states it brings statements of account ${account}`;
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
