import { basename } from 'node:path';
import type { Database, Session } from '../db';
import { openAuditTrail, requireScope, type Actor } from '../identity';
import {
  addDays,
  AppError,
  formatDinars,
  newId,
  sha256Hex,
  systemClock,
  type BusinessCalendar,
  type BusinessDate,
  type Clock,
} from '../kernel';
import type { Logger } from '../logging';
import { packBytes } from './original-bytes';
import type { ParsedStatement } from './parsed-statement';
import { postStatement } from './post-statement';
import { describeProof, proveStatement, type StatementProof } from './prove-statement';
import { readStatementFile, type ReadFile, type ReadRequest } from './read-statement-file';
import type { StatementProfile } from './statement-profile';
import type { Statement, StatementFile, StatementLine } from './statement-records';
import { openStatements } from './statement-store';

/** Thousands of lines in one transaction take longer than a payment may. */
const IMPORT_DEADLINE_MS = 60_000;
const NAME_CHARACTERS_MAX = 255;

/** Banks sort by booking or by value date, which lie days apart, not months. */
const DAYS_BACK_MAX = 31;

export interface ImportDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
  readonly profiles: () => readonly StatementProfile[];
}

export interface ImportRequest extends ReadRequest {
  readonly actor: Actor;
}

export type ImportOutcome =
  | { readonly kind: 'imported'; readonly file: StatementFile; readonly statements: readonly Statement[] }
  /** The same bytes were imported before: nothing was changed. */
  | { readonly kind: 'already_imported'; readonly file: StatementFile };

type ProvenStatement = {
  readonly parsed: ParsedStatement;
  readonly account: string;
  readonly proof: Extract<StatementProof, { verdict: 'ok' }>;
};

/**
 * Reads, proves, stores and posts a bank file: all of its statements, or nothing.
 *
 * @throws AppError `bad_input` when the file cannot be read, does not prove itself, or does not follow the last statement
 * of its account.
 */
export async function importStatementFile(deps: ImportDeps, request: ImportRequest): Promise<ImportOutcome> {
  requireScope(request.actor, 'statements:write');
  const sha256 = sha256Hex(request.bytes);
  const known = await deps.database.read((session) => openStatements(session).fileBySha256(sha256));
  if (known !== undefined) return { kind: 'already_imported', file: known };

  const read = readStatementFile(request, deps.profiles());
  const proven = requireProof(request.name, read);
  // The clock of a replayed month may not have come as far as its bank file; nobody's file is of a day still to come.
  const today = deps.calendar.dateOf(Math.max(deps.clock.now(), systemClock.now()));
  requirePossibleDates(request.name, read, today);
  const file = newFile({ request, read, sha256, importedAt: deps.clock.now() });
  const chunks = packBytes(request.bytes);
  const outcome = await deps.database.transact(
    async (session): Promise<ImportOutcome> => {
      const store = openStatements(session);
      const before = await store.fileBySha256(sha256);
      // Our own file: the answer to the COMMIT of an earlier run was lost, and it was stored.
      if (before?.id === file.id) return { kind: 'imported', file, statements: await store.ofFile(file.id) };
      if (before !== undefined) return { kind: 'already_imported', file: before };
      await store.insertFile(file, chunks);
      const statements: Statement[] = [];
      for (const statement of proven) statements.push(await addStatement(session, deps.calendar, file, statement));
      await openAuditTrail(session).record({
        at: file.importedAt,
        actor: request.actor,
        action: 'statement.imported',
        subject: `statement_file:${file.id}`,
        detail: { fileId: file.id, sha256, statements: statements.length },
      });
      return { kind: 'imported', file, statements };
    },
    // Two imports at once: the one that comes second meets a taken key, runs again and sees the winner's rows.
    { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs: IMPORT_DEADLINE_MS },
  );
  deps.logger.info('bank file imported', {
    event: `statements.${outcome.kind}`,
    fileId: outcome.file.id,
    sha256,
    statements: outcome.kind === 'imported' ? outcome.statements.length : 0,
  });
  return outcome;
}

function requireProof(name: string, { statements }: ReadFile): ProvenStatement[] {
  return statements.map((parsed) => {
    const proof = proveStatement(parsed);
    if (proof.verdict !== 'ok') {
      throw new AppError(
        'bad_input',
        `${name}: the statement does not prove itself (${proof.verdict}); nothing was imported`,
        {
          details: [describeProof(proof)],
        },
      );
    }
    if (parsed.account === undefined) {
      throw new AppError('bad_input', `${name}: the file does not name its account: say it with --account`);
    }
    return { parsed, account: parsed.account, proof };
  });
}

/**
 * Balances prove amounts, not dates. A line of a day to come, or far before the lines above it, is a misread date, and
 * it would say that days are covered of which we know nothing.
 */
function requirePossibleDates(name: string, { statements }: ReadFile, today: BusinessDate): void {
  const faults: string[] = [];
  for (const { lines } of statements) {
    let latest: BusinessDate | undefined;
    for (const { fileLine, bookingDate } of lines) {
      if (bookingDate > today)
        faults.push(`line ${fileLine}: its booking date ${bookingDate} is after today, ${today}`);
      else if (latest !== undefined && bookingDate < addDays(latest, -DAYS_BACK_MAX)) {
        faults.push(`line ${fileLine}: its booking date ${bookingDate} is long before ${latest}, above it`);
      }
      if (bookingDate <= today && (latest === undefined || bookingDate > latest)) latest = bookingDate;
    }
  }
  if (faults.length > 0) {
    throw new AppError('bad_input', `${name}: has impossible dates; nothing was imported`, { details: faults });
  }
}

function newFile(given: { request: ImportRequest; read: ReadFile; sha256: string; importedAt: number }): StatementFile {
  const { request, read, sha256, importedAt } = given;
  return {
    id: newId(),
    sha256,
    name: basename(request.name)
      .replace(/[\p{Cc}\p{Cs}]/gu, '?')
      .slice(0, NAME_CHARACTERS_MAX),
    sizeBytes: request.bytes.length,
    format: read.format,
    profile: read.profile,
    importedAt,
    importedBy: request.actor.name,
  };
}

/** Adds one statement to its account's chain. The unique key on (account, sequence) decides between two at once. */
async function addStatement(
  session: Session,
  calendar: BusinessCalendar,
  file: StatementFile,
  { parsed, account, proof }: ProvenStatement,
): Promise<Statement> {
  const store = openStatements(session);
  const previous = await store.lastOf(account);
  const days = parsed.lines.map(({ bookingDate }) => bookingDate).sort();
  const statement: Statement = {
    id: newId(),
    fileId: file.id,
    account,
    sequence: (previous?.sequence ?? 0) + 1,
    currency: parsed.currency,
    verdict: proof.verdict,
    opening: proof.opening,
    closing: proof.closing,
    credits: proof.credits,
    debits: proof.debits,
    entries: parsed.lines.length,
    firstDate: days.at(0),
    lastDate: days.at(-1),
  };
  if (previous !== undefined) requireContinuity(file, previous, statement);
  const lines = parsed.lines.map(({ fileLine: _fileLine, ...line }, index): StatementLine => ({
    ...line,
    id: newId(),
    statementId: statement.id,
    position: index + 1,
    account,
  }));
  await store.insertStatement(statement, lines);
  await postStatement(session, calendar, {
    statement,
    lines,
    recordedAt: file.importedAt,
    recordedBy: file.importedBy,
  });
  return statement;
}

/**
 * A statement starts with the balance and not before the last day of the one before it. The second rule refuses the same
 * days exported again in other bytes, which would fit by their balance whenever they add up to nothing.
 */
function requireContinuity(file: StatementFile, previous: Statement, next: Statement): void {
  const last = `statement ${previous.id} (number ${previous.sequence} of account ${previous.account})`;
  if (next.opening !== previous.closing) {
    throw new AppError(
      'bad_input',
      `${file.name}: does not follow the account's last statement; nothing was imported`,
      {
        details: [
          `it opens with ${formatDinars(next.opening)}, and ${last} closes with ${formatDinars(previous.closing)}`,
          'a statement between the two is missing, or this one was imported before in another form',
        ],
      },
    );
  }
  if (next.firstDate !== undefined && previous.lastDate !== undefined && next.firstDate < previous.lastDate) {
    throw new AppError('bad_input', `${file.name}: overlaps the account's last statement; nothing was imported`, {
      details: [`its first line is of ${next.firstDate}, and ${last} goes up to ${previous.lastDate}`],
    });
  }
}
