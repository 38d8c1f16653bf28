import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Millime } from '../compose';
import { type Actor, OPERATOR } from '../identity';
import { type BusinessCalendar } from '../kernel';
import { fileJson, statementJson } from '../shapes/statements';
import {
  bankFileAt,
  type CheckRequest,
  type ImportCheck,
  type ImportOutcome,
  type ImportRequest,
  PROPOSED_PROFILE,
  type SaveOptions,
  STATEMENT_FORMATS,
  type StatementFile,
  type StatementFormat,
} from '../statements';
import { type CliIo, EXIT, type ExitCode, type RunCommand, whoActs, writeAside } from './command';
import { faultText } from './error-texts';
import { inEnglish, t } from './language';
import { nextReconcile } from './next-reconcile';
import { createProgressBar } from './progress-bar';
import { isRefusal } from './report-error';
import {
  checkJson,
  patternTexts,
  payoutWarnings,
  printCheck,
  type TypedImport,
  whyNoDatabase,
} from './statement-check';
import { formText, lineRow, notPostedText, printLinesRead, printStatement } from './statement-texts';

/** Enough lines for a person to check amounts and dates against the file. */
const LINES_READ_BACK = 3;

interface ImportOptions {
  account?: string;
  currency?: string;
  profile?: string;
  saveProfile?: string;
  decimalSign?: ',' | '.';
  dateFormat?: string;
  unit?: 'dinars' | 'millimes';
  unmarked?: 'credit' | 'debit';
  setAside?: readonly string[];
  payoutPattern?: string;
  withoutPayouts?: boolean;
  format: StatementFormat | 'auto';
  dryRun?: boolean;
  json?: boolean;
}

export function registerImportCommand(statements: Command, run: RunCommand): void {
  statements
    .command('import <file>')
    .option('--account <account>')
    .option('--currency <code>')
    .addOption(new Option('--decimal-sign <sign>').choices([',', '.']))
    .option('--date-format <format>')
    .addOption(new Option('--unit <unit>').choices(['dinars', 'millimes']))
    .addOption(new Option('--unmarked <side>').choices(['credit', 'debit']))
    .addOption(new Option('--set-aside <column>').argParser(withAnother))
    .option('--profile <name>', PROPOSED_PROFILE)
    .option('--save-profile <name>')
    .option('--payout-pattern <regexp>')
    .option('--without-payouts')
    .addOption(new Option('--format <format>').choices(['auto', ...STATEMENT_FORMATS]).default('auto'))
    .option('--dry-run')
    .option('--json')
    .action((path: string, { dryRun = false, json = false, ...options }: ImportOptions, command: Command) => {
      const { format, ...rest } = options;
      const typed = { command, path, options: { ...(format === 'auto' ? {} : { format }), ...rest } };
      // A dry run needs no table, so the database may be behind or missing.
      const runOn = dryRun ? run.beforeMigration : run.onNewBooks;
      return runOn((millime, io) =>
        withJsonRefusals({ io, json, typed }, async (noteCheck) => {
          const request = requestOf(millime, path, options);
          const withoutDatabase = dryRun ? await whyNoDatabase(millime) : undefined;
          const check = await checkFile(millime, { ...request, withoutDatabase, readsKnown: dryRun });
          noteCheck(check);
          if (!dryRun) return importFile(millime, request, check, io, json);
          const unread = check.scanned === undefined ? check.refusals[0] : undefined;
          // A file that could not be read is refused like any other bad input.
          if (unread !== undefined && (json || check.proposal === undefined)) throw unread;
          if (json) io.json(checkJson(check, typed));
          else printCheck(io, check, typed, millime.calendar);
          return unread !== undefined ? EXIT.badInput : EXIT.done;
        }),
      );
    });
}

/** Each use of the option adds a value: one that takes several values would also take the name of the file. */
function withAnother(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function requestOf(millime: Millime, path: string, options: SaveOptions): ImportRequest {
  const actor = (): Promise<Actor> => whoActs(millime, { decides: false });
  return { ...options, file: bankFileAt(path), actor: millime.config.apiKey === undefined ? OPERATOR : actor };
}

/** Runs an import or a dry run. With `--json` a refusal is a document on stdout, besides the message. */
async function withJsonRefusals(
  { io, json, typed }: { readonly io: CliIo; readonly json: boolean; readonly typed: TypedImport },
  work: (noteCheck: (check: ImportCheck) => void) => Promise<ExitCode | void>,
): Promise<ExitCode | void> {
  let noted: ImportCheck | undefined;
  try {
    return await work((check) => (noted = check));
  } catch (error) {
    if (json && isRefusal(error)) {
      const refusals = noted === undefined || noted.refusals.length === 0 ? [error] : noted.refusals;
      io.json(checkJson(noted, typed, refusals));
    }
    throw error;
  }
}

async function checkFile({ statements }: Millime, request: CheckRequest): Promise<ImportCheck> {
  const bar = createProgressBar(t('cli:import.reading'), request.file.sizeBytes, process.stderr);
  try {
    return await statements.check({ ...request, onProgress: bar.update });
  } finally {
    bar.clear();
  }
}

/** The path is absolute, because the default depends on the folder in which the command runs. */
function savedText({ config }: Pick<Millime, 'config'>, name: string): string {
  return t('cli:import.savedProfile', { name, file: resolve(config.statementProfiles.profilesFile) });
}

async function importFile(
  millime: Pick<Millime, 'config' | 'statements' | 'calendar' | 'reconciliation'>,
  request: ImportRequest,
  check: ImportCheck,
  io: CliIo,
  json: boolean,
): Promise<void> {
  const { statements, calendar } = millime;
  const { file, saveProfile } = request;
  const bar = createProgressBar(t('cli:import.importing'), file.sizeBytes, process.stderr);
  let outcome: ImportOutcome;
  try {
    outcome = await statements.import(
      {
        ...request,
        onProgress: bar.update,
        onWait: ({ fileName, startedAt }) =>
          writeAside(t('cli:import.waits', { file: fileName, since: calendar.formatLocal(startedAt) })),
      },
      check,
    );
  } finally {
    bar.clear();
  }
  const ofImport = outcome.kind === 'imported' ? outcome.warnings : [];
  const noticed = (): string[] => [...check.warnings, ...ofImport].map(faultText);
  if (json) {
    const ofCheck = inEnglish(() => [...payoutWarnings(check), ...noticed()]);
    return io.json({
      ...importedJson(outcome, ofCheck),
      remarks: check.remarks,
      payouts: check.payouts ?? null,
      savedProfile: check.savesProposal ? saveProfile : null,
    });
  }
  if (check.savesProposal) io.line(savedText(millime, saveProfile ?? ''));
  if (outcome.kind === 'already_imported') return printKnown(io, file.name, outcome.file, noticed(), calendar);
  io.line(t('cli:import.imported', { file: file.name, form: formText(outcome.file), digest: outcome.file.sha256 }));
  for (const listed of outcome.statements) {
    printStatement(io, listed, calendar);
    const { lines } = await statements.show(listed.statement.id, { lines: LINES_READ_BACK });
    if (lines.length > 0) {
      printLinesRead(
        io,
        lines.map(({ line }) => lineRow(line)),
      );
    }
  }
  for (const { statement, before } of outcome.duplicates) {
    io.line(t('cli:import.skipped', { account: statement.account, id: before.id }));
  }
  const remarks = check.remarks.map((text) => faultText({ text }));
  for (const text of [...patternTexts(check), ...remarks, ...noticed()]) io.line(text);
  const next = await nextReconcile(millime, outcome.statements);
  if (next !== undefined) io.line(t('cli:error.run', { commands: `"${next}"` }));
  for (const listed of outcome.statements) if (listed.isWaiting) io.line(notPostedText(listed));
}

function printKnown(
  io: CliIo,
  typed: string,
  { name, importedAt, importedBy }: StatementFile,
  warnings: readonly string[],
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): void {
  const when = calendar.formatLocal(importedAt);
  io.line(t('cli:import.known', { file: typed, name, when, by: importedBy }));
  for (const text of warnings) io.line(text);
}

function importedJson(outcome: ImportOutcome, ofCheck: readonly string[]): Record<string, unknown> {
  const file = fileJson(outcome.file);
  if (outcome.kind === 'already_imported') return { outcome: outcome.kind, file, warnings: ofCheck };
  const { kind, statements, duplicates, warnings } = outcome;
  return {
    outcome: kind,
    file,
    statements: statements.map(statementJson),
    duplicates: duplicates.map(({ statement, before }) => ({ account: statement.account, statementId: before.id })),
    warnings: [...ofCheck, ...warnings],
  };
}
