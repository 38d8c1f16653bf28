import type { Database, Session } from '../../db';
import { type Actor, checkReason, openAuditTrail, requireScope } from '../../identity';
import { AppError, type BusinessCalendar, type Clock, formatDinars } from '../../kernel';
import type { Logger } from '../../logging';
import { closeOverlapBreak, describeDiscontinuity, syncStatementGaps } from '../chain/sync-statement-gaps';
import { importRunning, lockSlot, openLoads } from '../load-store';
import { waitForOtherDecisions } from '../other-decisions';
import { requireStatement } from '../require-statement';
import { type ListedStatement, POSTED_CURRENCY, type Statement } from '../statement-records';
import { openDecisions } from './decision-store';
import { balanceThrough, findToPost, postLines, type ToPost } from './post-lines';
import { requireNoRepetition } from './require-no-repetition';

/** Comparing a large statement with the posted ones takes longer than most transactions. */
const ACCEPT_DEADLINE_MS = 60_000;

export interface AcceptDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
}

export interface AcceptCommand {
  readonly id: string;
  readonly reason: string;
  readonly actor: Actor;
  /** Checks everything, but changes nothing. */
  readonly dryRun?: boolean;
}

export type AcceptOutcome = {
  /** `already_accepted`: it was accepted before, and nothing changed. */
  readonly kind: 'accepted' | 'already_accepted';
  readonly listed: ListedStatement;
  /** One text for each balance that does not follow: between two statements, and between the statement and the ledger. */
  readonly warnings: readonly string[];
  /** What the acceptance posts; undefined if it posts nothing. */
  readonly posts: ToPost | undefined;
};

/**
 * Accepts a statement that is not proven or contradicts another one. Its lines become effective, so they are posted and
 * reconciled. An acceptance is permanent.
 * @throws AppError `not_found`; `bad_input` for an empty reason; `statement_not_held` if it needs no acceptance;
 * `statement_repeats` if a posted statement covers a day with different lines; `import_running` while a file is imported.
 */
export async function acceptStatement(
  deps: AcceptDeps,
  { id, reason, actor, dryRun = false }: AcceptCommand,
): Promise<AcceptOutcome> {
  requireScope(actor, 'statements:accept');
  checkReason(reason, 'why the statement is to be counted');
  const at = deps.clock.now();
  const outcome = await deps.database.transact(
    async (session): Promise<Omit<AcceptOutcome, 'listed'>> => {
      const found = await lockStatement(session, id);
      // An import compares its statements with the stored ones, so they must not change meanwhile.
      const load = await lockSlot(session, found.file.id);
      if (load !== undefined) throw importRunning(load, deps.calendar);
      if (found.acceptance !== undefined) return { kind: 'already_accepted', warnings: [], posts: undefined };
      requireWaiting(found);
      const { statement, file } = found;
      await requireNoRepetition(session, statement);
      await openDecisions(session).accept({ statementId: id, acceptedAt: at, acceptedBy: actor.name, reason });
      // Its lines must now be posted.
      await openLoads(session).setState(file.id, 'imported');
      const by = { at, actor: actor.name };
      await closeOverlapBreak(session, statement, { ...by, resolution: 'statement_accepted' });
      const gaps = await syncStatementGaps(session, statement, by);
      await openAuditTrail(session).record({
        at,
        actor,
        action: 'statement.accepted',
        subject: `statement:${id}`,
        detail: { reason, verdict: statement.verdict },
      });
      const warnings = [
        ...gaps.filter(({ before, next }) => before.id === id || next.id === id).map(describeDiscontinuity),
        ...(await describeOtherBalance(session, statement)),
      ];
      return { kind: 'accepted', warnings, posts: await findToPost(session, statement) };
    },
    // The second of two concurrent acceptances meets the first one's row and reads it.
    { retryDuplicate: true, dryRun, deadlineMs: ACCEPT_DEADLINE_MS },
  );
  if (!dryRun) await postLines(deps);
  if (!dryRun && outcome.kind === 'accepted') {
    deps.logger.info('statement accepted', { event: 'statements.accepted', statementId: id, actor: actor.name });
  }
  return { ...outcome, listed: await deps.database.read((session) => requireStatement(session, id)) };
}

/** Reads a statement after all earlier decisions. */
async function lockStatement(session: Session, id: string): Promise<ListedStatement> {
  await waitForOtherDecisions(session);
  return requireStatement(session, id);
}

/** Describes the difference of a statement's closing balance from the ledger, once all effective lines are posted. */
async function describeOtherBalance(session: Session, statement: Statement): Promise<string[]> {
  const { closingMinor, currency } = statement;
  const day = statement.lastDate ?? statement.through;
  if (closingMinor === undefined || day === undefined || currency !== POSTED_CURRENCY) return [];
  const ledger = await balanceThrough(session, statement.account, day);
  if (ledger === BigInt(closingMinor)) return [];
  return [
    `balances differ: the statement closes with ${formatDinars(BigInt(closingMinor))}, the ledger has ${formatDinars(ledger)} ` +
      `through ${day}: a difference of ${formatDinars(ledger - BigInt(closingMinor))}`,
  ];
}

/** @throws AppError `statement_not_held` unless the statement waits for a person. */
function requireWaiting({ statement: { id, kind }, acceptance, exclusion, isWaiting }: ListedStatement): void {
  if (isWaiting) return;
  const why =
    exclusion !== undefined
      ? `it is already excluded, by ${exclusion.excludedBy}`
      : acceptance !== undefined
        ? `it is already accepted, by ${acceptance.acceptedBy}`
        : kind === 'interim'
          ? 'it only announces movements'
          : 'its balances prove it, and its lines are posted';
  throw new AppError('statement_not_held', { statementId: id, why });
}

/**
 * Excludes a waiting statement, because another one has the movements of its days. Resolves its break, if it has one. An
 * exclusion is permanent.
 * @throws AppError `not_found`; `bad_input` for an empty reason; `statement_not_held` if it does not wait.
 */
export async function leaveOutStatement(
  { database, clock, logger }: AcceptDeps,
  { id, reason, actor, dryRun = false }: AcceptCommand,
): Promise<ListedStatement> {
  requireScope(actor, 'statements:accept');
  checkReason(reason, 'why the statement is not to be counted');
  const at = clock.now();
  await database.transact(
    async (session) => {
      const found = await lockStatement(session, id);
      requireWaiting(found);
      await openDecisions(session).exclude({ statementId: id, excludedAt: at, excludedBy: actor.name, reason });
      const end = { at, actor: actor.name, resolution: 'statement_left_out', detail: { reason } } as const;
      await closeOverlapBreak(session, found.statement, end);
      await openAuditTrail(session).record({
        at,
        actor,
        action: 'statement.left_out',
        subject: `statement:${id}`,
        detail: { reason },
      });
    },
    { retryDuplicate: true, dryRun },
  );
  if (!dryRun) logger.info('statement left out', { event: 'statements.left_out', statementId: id, actor: actor.name });
  return database.read((session) => requireStatement(session, id));
}
