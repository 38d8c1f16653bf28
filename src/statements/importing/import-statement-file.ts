import { basename } from 'node:path';
import type { Database } from '../../db';
import { assert, type BusinessCalendar, type Clock, type Notice } from '../../kernel';
import type { Logger } from '../../logging';
import { type PostingDeps, postLines } from '../effective/post-lines';
import type { Load } from '../load-store';
import type { ProfilesSource } from '../reading/load-profiles';
import { namedError } from '../reading/refusal';
import { saveProfile } from '../reading/save-profile';
import type { ListedStatement, Statement, StatementFile } from '../statement-records';
import { openStatements } from '../statement-store';
import type { CheckRequest, ImportCheck } from './check-import';
import { findDuplicates, requireSameAccounts } from './compare-with-stored';
import type { Duplicate, ReadStored } from './duplicate';
import { FINISH_DEADLINE_MS, finishLoad } from './finish-load';
import { loadBankFile } from './load-bank-file';
import { openLoadingRows } from './loading-rows-store';
import { type LeftoverRowsDeps, removeLeftoverRows, removeRows, type Slot, takeSlot } from './take-slot';

const NAME_CHARACTERS_MAX = 255;

export interface ImportDeps extends ProfilesSource {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
}

export interface ImportRequest extends Omit<CheckRequest, 'withoutDatabase' | 'readsKnown'> {
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
      readonly warnings: readonly Notice[];
    }
  /** The same bytes were imported before; nothing changed. */
  | {
      readonly kind: 'already_imported';
      readonly file: StatementFile;
      /** Those that the file brought. */
      readonly statements: readonly ListedStatement[];
    };

/**
 * Stores all of a checked bank file or nothing, and posts its effective lines.
 * @throws AppError the first refusal of the check; `import_running` if another import runs for too long; `interrupted` if
 * this one lost its lease.
 */
export async function importChecked(
  deps: ImportDeps,
  request: ImportRequest,
  check: ImportCheck,
): Promise<ImportOutcome> {
  const [refusal] = check.refusals;
  if (refusal !== undefined) throw refusal;
  if (check.savesProposal && check.proposal !== undefined) saveProfile(deps, check.proposal.entry);
  if (check.known !== undefined) return alreadyImported(deps, check.known);
  const file = newFile(request.file, check, deps.clock.now());
  const taken = await takeSlot({ ...deps, onWait: request.onWait ?? (() => undefined) }, file);
  // Another import of the same bytes was faster.
  if (taken.kind === 'already_imported') return alreadyImported(deps, taken.file);
  const { slot } = taken;
  const { statements, duplicates, warnings } = await loadFile(deps, request, { check, file, slot });
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
    statements: await statementsOf(deps, file),
    duplicates,
    warnings,
  };
}

/** Posts lines that an earlier import of these bytes left unposted. */
async function alreadyImported(deps: ImportDeps, file: StatementFile): Promise<ImportOutcome> {
  await postLines(deps);
  deps.logger.info('bank file already imported', { event: 'statements.already_imported', fileId: file.id });
  return { kind: 'already_imported', file, statements: await statementsOf(deps, file) };
}

function statementsOf({ database }: ImportDeps, { id }: StatementFile): Promise<ListedStatement[]> {
  return database.read((session) => openStatements(session).ofFile(id), { snapshot: true });
}

function newFile({ name }: ImportRequest['file'], check: ImportCheck, importedAt: number): StatementFile {
  const { scanned, actor, fileId, proposal, savesProposal } = check;
  assert(scanned !== undefined && actor !== undefined, 'a file without refusals was read for an actor');
  const { facts, reading } = scanned;
  return {
    id: fileId,
    sha256: facts.sha256,
    name: basename(name)
      .replace(/[\p{Cc}\p{Cs}]/gu, '?')
      .slice(0, NAME_CHARACTERS_MAX),
    sizeBytes: facts.sizeBytes,
    format: reading.format,
    profile: savesProposal && proposal !== undefined ? proposal.entry.name : reading.profile,
    importedAt,
    importedBy: actor.name,
  };
}

interface Loading {
  readonly check: ImportCheck;
  readonly file: StatementFile;
  readonly slot: Slot;
}

/** Reads a checked file again to write its lines. If that fails, removes the written rows. */
async function loadFile(
  deps: ImportDeps,
  { file: bankFile, account, onProgress = () => undefined }: ImportRequest,
  { check: { scanned, actor, statements: wholes }, file, slot }: Loading,
): Promise<{
  readonly statements: readonly Statement[];
  readonly duplicates: readonly Duplicate[];
  readonly warnings: readonly Notice[];
}> {
  const { database } = deps;
  assert(scanned !== undefined && actor !== undefined, 'a file without refusals was read for an actor');
  const { reading } = scanned;
  try {
    // Another import may have ended since the check.
    const read: ReadStored = (work) => slot.read(database, FINISH_DEADLINE_MS, work);
    await requireSameAccounts(read, wholes, account);
    const duplicates = await findDuplicates(read, wholes, { file: bankFile, reading });
    const skipped = new Set(duplicates.map(({ statement }) => statement.id));
    const toLoad = wholes.map(({ whole, statement }) => ({
      whole,
      statement: skipped.has(statement.id) ? undefined : statement,
    }));
    const statements = toLoad.flatMap(({ statement }) => statement ?? []);
    await slot.whileHeld(database, FINISH_DEADLINE_MS, (session) =>
      openLoadingRows(session).insertStatements(statements),
    );
    await loadBankFile(deps, { file: bankFile, reading, statements: toLoad, sha256: file.sha256, slot, onProgress });
    const warnings = await finishLoad(database, { file, statements, slot, actor });
    return { statements, duplicates, warnings };
  } catch (error) {
    await removeQuietly(deps, slot);
    throw namedError(bankFile.name, error);
  }
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

/**
 * Removes the rows of an import that ended while loading, and posts lines that an import left unposted. Called when a
 * process starts and before a reconciliation, so that a crash needs no manual step.
 */
export async function recoverImports(deps: LeftoverRowsDeps & PostingDeps, signal?: AbortSignal): Promise<void> {
  await removeLeftoverRows(deps);
  await postLines(deps, signal);
}
