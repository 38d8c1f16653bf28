import { type Page, pageByKey } from '../kernel';
import {
  acceptAccount,
  type AccountDecided,
  type AccountDecision,
  joinAccounts,
  type JoinCommand,
  type JoinDeps,
} from './accounts/join-accounts';
import { listAccounts, type ListedAccount } from './accounts/list-accounts';
import type { BankLine } from './candidate-store';
import {
  type AcceptCommand,
  type AcceptOutcome,
  acceptStatement,
  leaveOutStatement,
} from './effective/accept-statement';
import { checkImport, type CheckRequest, type ImportCheck } from './importing/check-import';
import {
  importChecked,
  type ImportDeps,
  type ImportOutcome,
  type ImportRequest,
  recoverImports,
} from './importing/import-statement-file';
import { unpackBytes, writeOriginal } from './importing/original-bytes';
import { type RereadFile, rereadFile } from './importing/reread-file';
import { listPending, type PendingKey, type PendingQuery } from './pending-list-store';
import { profilesReader } from './reading/load-profiles';
import type { AnyProfile } from './reading/statement-profile';
import { requireStatement } from './require-statement';
import { listStatements, type StatementKey, type StatementQuery } from './statement-list-store';
import type { LineOnStatement, ListedStatement, PendingEntry } from './statement-records';
import { openStatements } from './statement-store';
import { createUploads, type UploadDeps, type Uploads } from './uploads/uploads';

export { bankFileAt, bankFileOfBytes, type BankFile } from './reading/bank-file';
export { PROPOSED_PROFILE, STATEMENT_FORMATS, type ReadOptions, type StatementFormat } from './reading/choose-reader';
export { HAND_COLUMNS, profileByHand } from './reading/csv/profile-by-hand';
export { ENCODINGS } from './reading/decode-text';
export { sampleRows, type SampleRows } from './reading/sample-rows';
export { formatDecimal, formatMinorUnits, minorUnitsText } from './reading/currencies';
export { decimalText, type Decimal } from './reading/decimal';
export type { AccountDecided, AccountDecision, JoinCommand } from './accounts/join-accounts';
export type { ListedAccount } from './accounts/list-accounts';
export type { BankLine } from './candidate-store';
export { openPayoutMarks, type CreditChoice, type MarkableCredit, type StoredLine } from './payout-mark-store';
export type { PendingKey, PendingQuery } from './pending-list-store';
export { isRecognized } from './reading/is-recognized';
export type { AcceptCommand, AcceptOutcome } from './effective/accept-statement';
export type { CheckRequest, ImportCheck, NotChecked } from './importing/check-import';
export { recoverImports, type ImportOutcome, type ImportRequest } from './importing/import-statement-file';
export type { ParsedLine, ParsedStatement } from './reading/parsed-statement';
export type { RereadFile } from './importing/reread-file';
export type { SaveOptions } from './importing/profile-to-save';
export type { ProfileEntry } from './reading/profile-entry';
export type { ScannedFile, ScannedStatement } from './reading/scan-bank-file';
export {
  patternOfText,
  payoutPatternOf,
  profilesFileSchema,
  type AnyProfile,
  type StatementProfile,
} from './reading/statement-profile';
export { POSTED_CURRENCY } from './statement-records';
export type {
  LineOnStatement,
  ListedStatement,
  PayoutCandidate,
  PendingEntry,
  Statement,
  StatementFile,
  StatementLine,
} from './statement-records';
export type { StatementKey, StatementQuery } from './statement-list-store';
export { openStatements } from './statement-store';
export {
  describeFaults,
  differencesOf,
  summarizeStatements,
  sumsOf,
  type FileSummary,
} from './reading/statement-summary';

export type { Upload, Uploads } from './uploads/uploads';

export type StatementsDeps = ImportDeps & Pick<JoinDeps, 'linesInUse'> & Pick<UploadDeps, 'uploadLimits'>;

/** The position of a line in its statement. */
export type LineKey = readonly [position: number];

export interface LineQuery {
  readonly after?: LineKey | undefined;
  readonly limit: number;
}

export interface ShownStatement extends ListedStatement {
  readonly lines: readonly LineOnStatement[];
  readonly pending: readonly PendingEntry[];
}

/** Reads, proves, imports, accepts and shows bank files. */
export interface Statements {
  /** Returns the profiles of the installation. Their file is read again when it changed: threads save profiles, too. */
  profiles(): readonly AnyProfile[];
  /** Reads and proves a file and returns what an import of it would do. Stores nothing. */
  check(request: CheckRequest): Promise<ImportCheck>;
  /** Imports a file, and checks it first unless `check` has done so. @throws AppError the first refusal. */
  import(request: ImportRequest, check?: ImportCheck): Promise<ImportOutcome>;
  accept(command: AcceptCommand): Promise<AcceptOutcome>;
  /** Excludes a waiting statement. */
  leaveOut(command: AcceptCommand): Promise<ListedStatement>;
  /** Returns the bank accounts, in the order of their first statements, and names without statements last. */
  accounts(): Promise<ListedAccount[]>;
  /** Confirms the number of an account. */
  acceptAccount(command: AccountDecision): Promise<AccountDecided>;
  /** Joins a name to an account. */
  joinAccounts(command: JoinCommand): Promise<AccountDecided>;
  /** Returns a page of statements, newest first. */
  list(query: StatementQuery): Promise<Page<ListedStatement, StatementKey>>;
  /** @throws AppError `not_found`. */
  find(id: string): Promise<ListedStatement>;
  /** Returns a statement with its first lines, or with all of them. @throws AppError `not_found`. */
  show(id: string, options?: { readonly lines?: number }): Promise<ShownStatement>;
  /** Returns a page of the lines of a statement, in the order of the bank. @throws AppError `not_found`. */
  lines(id: string, query: LineQuery): Promise<Page<LineOnStatement, LineKey>>;
  /** Returns lines in dinars by their ids, in the order of the bank. */
  linesById(lineIds: readonly string[]): Promise<BankLine[]>;
  /** Returns a page of the movements that are announced but not booked, by account. */
  pending(query: PendingQuery): Promise<Page<PendingEntry, PendingKey>>;
  /** Reads the stored bytes of a statement's file again and compares. @throws AppError `not_found` or `bad_input`. */
  reread(id: string): Promise<RereadFile>;
  /** Returns the original bytes of an imported file. */
  originalBytes(fileId: string): Promise<Buffer>;
  /** Writes the original bytes of a statement's file, in pieces, until `write` returns false. @throws AppError `not_found`. */
  writeOriginal(statementId: string, write: (piece: Buffer) => Promise<boolean>): Promise<void>;
  /** Bank files that wait for their import. */
  readonly uploads: Uploads;
  /**
   * Removes the rows of interrupted imports, and posts lines that they left unposted. Called at the start and before a
   * run.
   */
  recover(signal?: AbortSignal): Promise<void>;
}

export function createStatements(deps: StatementsDeps): Statements {
  const { database } = deps;
  const profiles = profilesReader(deps);
  return {
    profiles,
    check: (request) => checkImport({ ...deps, profiles }, request),
    import: async (request, check) =>
      importChecked(deps, request, check ?? (await checkImport({ ...deps, profiles }, request))),
    accept: (command) => acceptStatement(deps, command),
    leaveOut: (command) => leaveOutStatement(deps, command),
    accounts: () => listAccounts(database),
    acceptAccount: (command) => acceptAccount(deps, command),
    joinAccounts: (command) => joinAccounts(deps, command),
    list: (query) => database.read((session) => listStatements(session, query), { snapshot: true }),
    find: (id) => database.read((session) => requireStatement(session, id)),
    show: (id, { lines } = {}) =>
      database.read(
        async (session) => {
          const found = await requireStatement(session, id);
          const store = openStatements(session);
          return { ...found, lines: await store.lines(id, lines), pending: await store.pendingOf(id) };
        },
        { snapshot: true },
      ),
    linesById: (lineIds) => database.read((session) => openStatements(session).linesById(lineIds)),
    lines: (id, { after: first, limit }) =>
      database.read(
        async (session) => {
          await requireStatement(session, id);
          const store = openStatements(session);
          return pageByKey<LineOnStatement, LineKey>({
            read: (after, count) => store.lines(id, count, after?.[0]),
            keyOf: ({ position }) => [position],
            ...{ after: first, limit },
          });
        },
        { snapshot: true },
      ),
    pending: (query) => database.read((session) => listPending(session, query), { snapshot: true }),
    reread: (id) => rereadFile(database, id, profiles()),
    originalBytes: (fileId) =>
      database.read(async (session) => unpackBytes(await openStatements(session).originalChunks(fileId))),
    writeOriginal: (statementId, write) => writeOriginal(database, statementId, write),
    uploads: createUploads(deps),
    recover: (signal) => recoverImports(deps, signal),
  };
}
