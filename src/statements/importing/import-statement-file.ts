import { basename } from 'node:path';
import { type Database, ROWS_PER_STATEMENT } from '../../db';
import { type Actor, requireScope } from '../../identity';
import { type AppError, type BusinessCalendar, type Clock, isAppError, newId, pagesOf } from '../../kernel';
import type { Logger } from '../../logging';
import { postLines } from '../effective/post-lines';
import type { Load } from '../load-store';
import type { BankFile } from '../reading/bank-file';
import { chooseReader, type Reading, type ReadOptions } from '../reading/choose-reader';
import { type FileFacts, inspectBankFile } from '../reading/inspect-bank-file';
import { joinPages } from '../reading/join-pages';
import { fileFault, namedError, namingFile } from '../reading/refusal';
import {
  type OnProgress,
  readStatements,
  requireOneAccount,
  type ScannedFile,
  type ScannedStatement,
} from '../reading/scan-bank-file';
import type { AnyProfile } from '../reading/statement-profile';
import type { ListedStatement, Statement, StatementFile } from '../statement-records';
import { openStatements } from '../statement-store';
import { FINISH_DEADLINE_MS, finishLoad } from './finish-load';
import { openKnownRows } from './known-rows-store';
import { loadBankFile, type StatementToLoad } from './load-bank-file';
import { openLoadingRows } from './loading-rows-store';
import { newStatement } from './new-statement';
import { removeRows } from './remove-leftover-rows';
import { requireAskedForProposal, requirePossibleDates } from './require-importable';
import { type Slot, takeSlot } from './take-slot';

const NAME_CHARACTERS_MAX = 255;

export interface ImportDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
  readonly profiles: () => readonly AnyProfile[];
}

export interface ImportRequest extends ReadOptions {
  readonly file: BankFile;
  readonly actor: Actor;
  /** Called with the number of bytes read so far, in each of the two passes. */
  readonly onProgress?: OnProgress;
  /** Called once if this import waits for another one. */
  readonly onWait?: (load: Load) => void;
}

export type ImportOutcome =
  | {
      readonly kind: 'imported';
      readonly file: StatementFile;
      readonly statements: readonly ListedStatement[];
      /** Skipped statements of the file, which another file brought before. */
      readonly duplicates: readonly Duplicate[];
      /** Gaps, balance jumps and overlaps with the account's other statements, one text each. */
      readonly warnings: readonly string[];
    }
  /** The same bytes were imported before; nothing changed. */
  | { readonly kind: 'already_imported'; readonly file: StatementFile };

export interface Duplicate {
  readonly statement: Statement;
  /** The same statement as it was imported before. */
  readonly before: Statement;
}

/**
 * Reads and proves a bank file, stores all of it or nothing, and posts its effective lines.
 * @throws AppError `bad_input` if the file has faults or all its statements are stored; `import_running` if another
 * import runs for too long; `interrupted` if this one lost its lease.
 */
export async function importStatementFile(deps: ImportDeps, request: ImportRequest): Promise<ImportOutcome> {
  requireScope(request.actor, 'statements:write');
  const { name } = request.file;
  const facts = inspectBankFile(request.file);
  const known = await deps.database.read((session) => openStatements(session).fileBySha256(facts.sha256));
  if (known !== undefined) return alreadyImported(deps, known);

  const reading = namingFile(name, () => chooseReader(request.file, facts, request, deps.profiles()));
  requireAskedForProposal(name, reading, request);
  const loaded = await loadFile(deps, { request, facts, reading });
  if (loaded.kind === 'already_imported') return alreadyImported(deps, loaded.file);
  const { file, statements, duplicates, warnings } = loaded;
  deps.logger.info('bank file imported', {
    event: 'statements.imported',
    fileId: file.id,
    sha256: file.sha256,
    statements: statements.length,
  });
  await postLines(deps);
  return {
    kind: 'imported',
    file,
    statements: await deps.database.read((session) => openStatements(session).ofFile(file.id), { snapshot: true }),
    duplicates,
    warnings,
  };
}

/**
 * Returns why an import would refuse a readable file: no account or currency, several currencies in one statement, too
 * large amounts, dates after today, or a profile that was only proposed. Undefined if it would not. Does not read the
 * database.
 */
export function importRefusal(
  deps: Pick<ImportDeps, 'calendar' | 'clock'>,
  { name, scanned, options }: { readonly name: string; readonly scanned: ScannedFile; readonly options: ReadOptions },
): AppError | undefined {
  try {
    requireAskedForProposal(name, scanned.reading, options);
    requirePossibleDates(name, scanned, deps);
    namingFile(name, () => wholeStatements(scanned.statements, { id: '' }, options));
    return undefined;
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error;
    throw error;
  }
}

/** Posts lines that an earlier import of these bytes left unposted. */
async function alreadyImported(deps: ImportDeps, file: StatementFile): Promise<ImportOutcome> {
  await postLines(deps);
  deps.logger.info('bank file already imported', { event: 'statements.already_imported', fileId: file.id });
  return { kind: 'already_imported', file };
}

function newFile(
  { file, actor }: ImportRequest,
  { sha256, sizeBytes }: FileFacts,
  reading: Reading,
  importedAt: number,
): StatementFile {
  return {
    id: newId(),
    sha256,
    name: basename(file.name)
      .replace(/[\p{Cc}\p{Cs}]/gu, '?')
      .slice(0, NAME_CHARACTERS_MAX),
    sizeBytes,
    format: reading.format,
    profile: reading.profile,
    importedAt,
    importedBy: actor.name,
  };
}

interface WholeAndStatement extends StatementToLoad {
  readonly statement: Statement;
}

function wholeStatements(
  statements: readonly ScannedStatement[],
  { id }: Pick<StatementFile, 'id'>,
  { account }: ReadOptions,
): WholeAndStatement[] {
  const wholes = joinPages(statements);
  if (account !== undefined) requireOneAccount(wholes.map((whole) => whole.account));
  return wholes.map((whole, index) => ({
    whole,
    statement: newStatement(whole, { fileId: id, position: index + 1, account }),
  }));
}

interface Plan {
  readonly request: ImportRequest;
  readonly facts: FileFacts;
  readonly reading: Reading;
}

interface Loaded {
  readonly kind: 'loaded';
  readonly file: StatementFile;
  readonly statements: readonly Statement[];
  readonly duplicates: readonly Duplicate[];
  readonly warnings: readonly string[];
}

/** Another import of the same bytes was faster. */
type AlreadyImported = Extract<ImportOutcome, { kind: 'already_imported' }>;

/** Reads the file to its end before any write, and then again to write its lines. */
async function loadFile(deps: ImportDeps, { request, facts, reading }: Plan): Promise<Loaded | AlreadyImported> {
  const { database } = deps;
  const { file: bankFile, actor, onProgress = () => undefined } = request;
  const scanned = namingFile(bankFile.name, () => readStatements(bankFile, reading, onProgress));
  requirePossibleDates(bankFile.name, { statements: scanned, reading }, deps);
  const file = newFile(request, facts, reading, deps.clock.now());
  const wholes = namingFile(bankFile.name, () => wholeStatements(scanned, file, request));
  return whileSlotIsHeld(deps, request, file, async (slot) => {
    const duplicates = await findDuplicates(database, wholes, slot);
    const skipped = new Set(duplicates.map(({ statement }) => statement.id));
    const statements = wholes.map(({ statement }) => statement).filter(({ id }) => !skipped.has(id));
    if (statements.length === 0) throw allDuplicates(duplicates);
    await slot.whileHeld(database, FINISH_DEADLINE_MS, (session) =>
      openLoadingRows(session).insertStatements(statements),
    );
    const toLoad = wholes.map((each) => (skipped.has(each.statement.id) ? { ...each, statement: undefined } : each));
    await loadBankFile(deps, {
      file: bankFile,
      reading,
      statements: toLoad,
      sha256: file.sha256,
      slot,
      onProgress,
    });
    const warnings = await finishLoad(database, { file, statements, slot, actor });
    return { kind: 'loaded', file, statements, duplicates, warnings };
  });
}

/** Takes the slot for a file and loads it. If that fails, removes the written rows. */
async function whileSlotIsHeld(
  deps: ImportDeps,
  { file: { name }, onWait = () => undefined }: ImportRequest,
  file: StatementFile,
  work: (slot: Slot) => Promise<Loaded>,
): Promise<Loaded | AlreadyImported> {
  const taken = await takeSlot({ ...deps, onWait }, file);
  if (taken.kind === 'already_imported') return taken;
  try {
    return await work(taken.slot);
  } catch (error) {
    await removeQuietly(deps, taken.slot);
    throw namedError(name, error);
  }
}

/** Returns the statements that another file has, or that this one has twice. */
async function findDuplicates(
  database: Database,
  statements: readonly WholeAndStatement[],
  slot: Slot,
): Promise<Duplicate[]> {
  const ofThisFile = new Map<string, Statement>();
  const duplicates: Duplicate[] = [];
  for (const page of pagesOf(statements, ROWS_PER_STATEMENT)) {
    await slot.read(database, FINISH_DEADLINE_MS, async (session) => {
      for (const { statement } of page) {
        const [stored] = await openKnownRows(session).sameStatements(statement);
        const before = stored ?? ofThisFile.get(statement.fingerprint);
        if (before === undefined) ofThisFile.set(statement.fingerprint, statement);
        else duplicates.push({ statement, before });
      }
    });
  }
  return duplicates;
}

function allDuplicates(duplicates: readonly Duplicate[]): AppError {
  return fileFault('all its statements were imported before, in another file', {
    details: duplicates.map(({ statement, before }) => {
      const number = statement.number === '' ? '' : ` ${statement.number}`;
      return `statement${number} of account ${statement.account} is stored as ${before.id}`;
    }),
  });
}

/** Best effort: after the end of the lease, the next import removes the remaining rows. */
async function removeQuietly({ database, logger }: ImportDeps, slot: Slot): Promise<void> {
  try {
    await removeRows(database, slot);
  } catch (error) {
    logger.warn('rows of a failed import not removed', {
      event: 'statements.remains_left',
      fileId: slot.fileId,
      error,
    });
  }
}
