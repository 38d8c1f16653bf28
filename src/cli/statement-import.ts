import { type Command, Option } from 'commander';
import type { Millime } from '../compose';
import type { Actor } from '../identity';
import {
  type BankFile,
  bankFileAt,
  describeFaults,
  type ImportOutcome,
  PROPOSED_PROFILE,
  type ReadOptions,
  type ScannedFile,
  STATEMENT_FORMATS,
  type StatementFormat,
  type Statements,
  summarizeStatements,
} from '../statements';
import { type CliIo, type RunCommand, whoActs, writeAside } from './command';
import { createProgressBar } from './progress-bar';
import { errorLines } from './report-error';
import { fileJson, listedJson } from './statement-shapes';
import { lineText, printScanned, printStatement } from './statement-texts';

/** Enough lines for a person to check amounts and dates against the file. */
const LINES_READ_BACK = 3;

interface ImportOptions {
  account?: string;
  profile?: string;
  format: StatementFormat | 'auto';
  dryRun?: boolean;
  json?: boolean;
}

export function registerImportCommand(statements: Command, run: RunCommand): void {
  statements
    .command('import <file>')
    .description('import a bank file, prove its balances and post its lines')
    .option('--account <account>', 'account, if the file does not name the right one')
    .option('--profile <name>', `CSV profile, or "${PROPOSED_PROFILE}" (default: from the file)`)
    .addOption(new Option('--format <format>', 'file format').choices(['auto', ...STATEMENT_FORMATS]).default('auto'))
    .option('--dry-run', 'check only; nothing is stored')
    .option('--json', 'JSON output')
    .action((path: string, { dryRun, json = false, ...options }: ImportOptions, command: Command) => {
      // A dry run reads no table, so the database may be behind or missing.
      if (dryRun === true) {
        return run.beforeMigration(async (millime, io) => {
          const file = bankFileAt(path);
          const scanned = readFile(millime.statements, file, options);
          if (json) return io.json(summarizeStatements(scanned.statements));
          printChecked(io, file.name, scanned);
          const refusal = millime.statements.importRefusal(file.name, scanned, options);
          if (refusal === undefined) return io.line('Would import the file (dry run)');
          io.line('Would refuse the import:');
          for (const text of errorLines(refusal, command)) io.line(`  ${text}`);
          io.line('nothing was stored (dry run)');
        });
      }
      return run.onNewBooks(async (millime, io) => {
        const file = bankFileAt(path);
        const actor = await whoActs(millime, { decides: false });
        await importFile(millime, { file, options, actor }, io, json);
      });
    });
}

function readFile(statements: Statements, file: BankFile, options: ReadOptions): ScannedFile {
  const bar = createProgressBar('reading', file.sizeBytes, process.stderr);
  try {
    return statements.read(file, options, bar.update);
  } finally {
    bar.clear();
  }
}

function printChecked(io: CliIo, name: string, scanned: ScannedFile): void {
  printScanned(io, name, scanned);
  io.line(`verdict: ${summarizeStatements(scanned.statements).verdict}`);
  for (const fault of describeFaults(scanned.statements)) io.line(`  ${fault}`);
}

async function importFile(
  { statements, calendar }: Pick<Millime, 'statements' | 'calendar'>,
  { file, options, actor }: { file: BankFile; options: ReadOptions; actor: Actor },
  io: CliIo,
  json: boolean,
): Promise<void> {
  const bar = createProgressBar('importing', file.sizeBytes, process.stderr);
  let outcome: ImportOutcome;
  try {
    outcome = await statements.import({
      ...options,
      file,
      actor,
      onProgress: bar.update,
      onWait: ({ fileName, startedAt }) =>
        writeAside(
          `another import is running (${fileName}, since ${calendar.formatLocal(startedAt)}); waiting for it to end`,
        ),
    });
  } finally {
    bar.clear();
  }
  if (json) return io.json(importedJson(outcome));
  if (outcome.kind === 'already_imported') {
    const { importedAt, importedBy, name } = outcome.file;
    const when = calendar.formatLocal(importedAt);
    return io.line(`${file.name}: already imported as ${name}, ${when} by ${importedBy}; nothing was changed`);
  }
  const { format, profile, sha256 } = outcome.file;
  io.line(`imported ${file.name}: ${format}${profile === '' ? '' : `, profile ${profile}`}, sha256 ${sha256}`);
  for (const listed of outcome.statements) {
    printStatement(io, listed, calendar);
    const { lines } = await statements.show(listed.statement.id, { lines: LINES_READ_BACK });
    if (lines.length > 0) io.line('  read back, to compare with the file:');
    for (const { line } of lines) io.line(lineText(line));
  }
  for (const { statement, before } of outcome.duplicates) {
    io.line(`skipped a statement of account ${statement.account}: already imported as statement ${before.id}`);
  }
  for (const warning of outcome.warnings) io.line(warning);
}

function importedJson(outcome: ImportOutcome): Record<string, unknown> {
  const file = fileJson(outcome.file);
  if (outcome.kind === 'already_imported') return { outcome: outcome.kind, file };
  const { kind, statements, duplicates, warnings } = outcome;
  return {
    outcome: kind,
    file,
    statements: statements.map(listedJson),
    duplicates: duplicates.map(({ statement, before }) => ({ account: statement.account, statementId: before.id })),
    warnings,
  };
}
