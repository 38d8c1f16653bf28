import { AppError } from '../kernel';
import { importStatementFile, type ImportDeps, type ImportOutcome, type ImportRequest } from './import-statement-file';
import { loadProfiles } from './load-profiles';
import { unpackBytes } from './original-bytes';
import { readStatementFile, type ReadFile, type ReadRequest } from './read-statement-file';
import type { StatementProfile } from './statement-profile';
import type { Statement, StatementFile, StatementLine } from './statement-records';
import { openStatements } from './statement-store';

export type { ParsedLine, ParsedStatement } from './parsed-statement';
export { summarizeStatements, decimalDinars, type FileSummary, type StatementSummary } from './statement-summary';
export { openStatements, type StatementStore } from './statement-store';
export { STATEMENT_FORMATS, type ReadFile, type ReadRequest, type StatementFormat } from './read-statement-file';
export type { ImportOutcome, ImportRequest } from './import-statement-file';
export type { StatementProfile } from './statement-profile';
export type { PayoutCandidate, Statement, StatementFile, StatementLine } from './statement-records';
export { proveStatement, type StatementProof, type StatementVerdict } from './prove-statement';

export type StatementsDeps = Omit<ImportDeps, 'profiles'> & { readonly profilesFile: string };

/** Bank files: reading, proving, importing, and looking at what was imported. */
export interface Statements {
  /** The profiles of the installation, read from their file at the first use. */
  profiles(): readonly StatementProfile[];
  /** Reads a file and stores nothing. */
  read(request: ReadRequest): ReadFile;
  import(request: ImportRequest): Promise<ImportOutcome>;
  /** The newest first. */
  list(): Promise<{ statement: Statement; file: StatementFile }[]>;
  /** @throws AppError `not_found`. */
  show(id: string): Promise<{ statement: Statement; file: StatementFile; lines: StatementLine[] }>;
  /** The bytes of an imported file, as they came. */
  originalBytes(fileId: string): Promise<Buffer>;
}

export function createStatements(deps: StatementsDeps): Statements {
  const { database, profilesFile } = deps;
  let loaded: readonly StatementProfile[] | undefined;
  const profiles = (): readonly StatementProfile[] => (loaded ??= loadProfiles(profilesFile));
  return {
    profiles,
    read: (request) => readStatementFile(request, profiles()),
    import: (request) => importStatementFile({ ...deps, profiles }, request),
    list: () => database.read((session) => openStatements(session).list(), { snapshot: true }),
    show: (id) =>
      database.read(
        async (session) => {
          const store = openStatements(session);
          const found = await store.find(id);
          if (found === undefined) throw new AppError('not_found', `there is no statement ${JSON.stringify(id)}`);
          return { ...found, lines: await store.lines(id) };
        },
        { snapshot: true },
      ),
    originalBytes: (fileId) =>
      database.read(async (session) => unpackBytes(await openStatements(session).originalChunks(fileId))),
  };
}
