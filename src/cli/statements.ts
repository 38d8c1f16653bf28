import { type Command, Option } from 'commander';
import type { Millime } from '../compose';
import type { Actor } from '../identity';
import { type BusinessCalendar, counted, type CsvField, csvLine } from '../kernel';
import {
  type AcceptOutcome,
  type BankFile,
  bankFileAt,
  describeFaults,
  type ImportOutcome,
  LISTED_MAX,
  PROPOSED_PROFILE,
  type ReadOptions,
  type ScannedFile,
  STATEMENT_FORMATS,
  type StatementFormat,
  type Statements,
  summarizeStatements,
} from '../statements';
import { type CliIo, type RegisterCommands, whoActs, writeAside } from './command';
import { onlyOneOf } from './only-one-of';
import { printTable } from './print-table';
import { createProgressBar } from './progress-bar';
import {
  fileJson,
  LINE_HEADER,
  lineCells,
  lineJson,
  LISTED_HEADER,
  listedCells,
  listedJson,
  pendingJson,
  profileJson,
} from './statement-shapes';
import {
  lineText,
  LISTED_COLUMNS,
  listedRow,
  PENDING_COLUMNS,
  pendingRow,
  pendingText,
  printScanned,
  printStatement,
} from './statement-texts';

/** Enough lines for a person to check amounts and dates against the file. */
const LINES_READ_BACK = 3;

interface ImportOptions {
  account?: string;
  profile?: string;
  format: StatementFormat | 'auto';
  dryRun?: boolean;
  json?: boolean;
}

interface DecisionOptions {
  reason: string;
  json?: boolean;
  dryRun?: boolean;
}

interface OutputOptions {
  json?: boolean;
  csv?: boolean;
}

export const registerStatementCommands: RegisterCommands = (program, run) => {
  const statements = program.command('statements');

  statements
    .command('import <file>')
    .description('import a bank file, prove its balances and post its lines')
    .option('--account <account>', 'account, if the file does not name the right one')
    .option('--profile <name>', `CSV profile, or "${PROPOSED_PROFILE}" (default: from the file)`)
    .addOption(new Option('--format <format>', 'file format').choices(['auto', ...STATEMENT_FORMATS]).default('auto'))
    .option('--dry-run', 'check only; nothing is stored')
    .option('--json', 'JSON output')
    .action((path: string, { dryRun, json = false, ...options }: ImportOptions) => {
      // A dry run reads no table, so the database may be behind or missing.
      if (dryRun === true) {
        return run.beforeMigration(async (millime, io) =>
          checkFile(millime.statements, bankFileAt(path), options, io, json),
        );
      }
      return run.onNewBooks(async (millime, io) => {
        const file = bankFileAt(path);
        const actor = await whoActs(millime, { decides: false });
        await importFile(millime, { file, options, actor }, io, json);
      });
    });

  statements
    .command('list')
    .description('list imported statements, newest first')
    .option('--account <account>', 'only this account')
    .option('--waiting', 'only statements that wait for acceptance')
    .option('--json', 'JSON output')
    .option('--csv', 'CSV output')
    .action((options: OutputOptions & { account?: string; waiting?: boolean }) =>
      run(async (millime, io) => {
        const { account, waiting } = options;
        const found = await millime.statements.list({ account, waiting });
        if (isJson(options)) return io.json(found.map(listedJson));
        if (options.csv === true) return printCsv(io, LISTED_HEADER, found.map(listedCells));
        printTable(io, LISTED_COLUMNS, found.map(listedRow), counted(found.length, 'statement'));
        if (found.length === LISTED_MAX) writeAside(`only the newest ${LISTED_MAX} statements are listed`);
      }),
    );

  statements
    .command('show <id>')
    .description('show a statement with its lines')
    .option('--json', 'JSON output')
    .option('--csv', 'lines as CSV')
    .action((id: string, options: OutputOptions) =>
      run(async (millime, io) => {
        const shown = await millime.statements.show(id);
        const { lines, pending } = shown;
        if (isJson(options)) {
          return io.json({ ...listedJson(shown), lines: lines.map(lineJson), pending: pending.map(pendingJson) });
        }
        if (options.csv === true) return printCsv(io, LINE_HEADER, lines.map(lineCells));
        printStatement(io, shown, millime.calendar);
        for (const { line, known } of lines) {
          io.line(`${lineText(line)}${known ? '  (known from another statement)' : ''}`);
        }
        if (pending.length > 0) io.line('  announced, not booked:');
        for (const entry of pending) io.line(pendingText(entry));
      }),
    );

  statements
    .command('accept <id>')
    .description('accept a statement on hold and post its lines')
    .requiredOption('--reason <text>', 'reason, for the record')
    .option('--dry-run', 'check only; nothing is stored')
    .option('--json', 'JSON output')
    .action((id: string, { reason, json = false, dryRun = false }: DecisionOptions) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const { calendar } = millime;
        printAccepted(io, await millime.statements.accept({ id, reason, actor, dryRun }), { json, dryRun, calendar });
      }),
    );

  underBothNames(statements, { name: 'exclude', former: 'leave-out' }, (command) =>
    command
      .description('exclude a statement on hold and resolve its break')
      .requiredOption('--reason <text>', 'reason, for the record')
      .option('--dry-run', 'check only; nothing is stored')
      .option('--json', 'JSON output')
      .action((id: string, { reason, json = false, dryRun = false }: DecisionOptions) =>
        run(async (millime, io) => {
          const actor = await whoActs(millime, { decides: true });
          const listed = await millime.statements.leaveOut({ id, reason, actor, dryRun });
          if (json) return io.json({ outcome: 'left_out', dryRun, ...listedJson(listed) });
          io.line(
            dryRun ? `Would exclude statement ${id} (dry run)` : `excluded statement ${id}: its lines are not posted`,
          );
        }),
      ),
  );

  statements
    .command('pending')
    .description('list movements that banks announced but have not booked')
    .option('--account <account>', 'only this account')
    .option('--json', 'JSON output')
    .action((options: OutputOptions & { account?: string }) =>
      run(async (millime, io) => {
        const found = await millime.statements.pending(options.account);
        if (isJson(options)) return io.json(found.map(pendingJson));
        printTable(io, PENDING_COLUMNS, found.map(pendingRow), counted(found.length, 'movement'));
        if (found.length === LISTED_MAX) writeAside(`only the first ${LISTED_MAX} movements are listed`);
      }),
    );

  underBothNames(statements, { name: 'verify', former: 'reread' }, (command) =>
    command
      .description('read the stored file of a statement again and compare')
      .option('--json', 'JSON output')
      .action((id: string, options: OutputOptions) =>
        run(async (millime, io) => {
          const { scanned, differences } = await millime.statements.reread(id);
          const { sha256 } = scanned.facts;
          if (isJson(options)) return io.json({ sha256, ...summarizeStatements(scanned.statements), differences });
          const read = `read ${counted(scanned.statements.length, 'statement')}, sha256 ${sha256}`;
          io.line(differences.length === 0 ? `verified: ${read}` : `differs from the stored statements: ${read}`);
          for (const difference of differences) io.line(`  ${difference}`);
        }),
      ),
  );

  statements
    .command('profiles')
    .description('list the CSV profiles of this installation')
    .option('--json', 'JSON output')
    .action((options: OutputOptions) =>
      // The profiles are a file, so the database may be behind or missing.
      run.beforeMigration(async (millime, io) => {
        const profiles = millime.statements.profiles();
        if (isJson(options)) return io.json(profiles.map(profileJson));
        for (const profile of profiles) {
          io.line(`${profile.name} (${profile.format}): ${profile.description}`);
          if (profile.format === 'csv') io.line(`  columns: ${columnsText(profile.columns)}`);
        }
      }),
    );
};

/** Registers a command on one id under its name and, hidden from help, under its former name. */
function underBothNames(
  parent: Command,
  { name, former }: { readonly name: string; readonly former: string },
  define: (command: Command) => unknown,
): void {
  define(parent.command(`${name} <id>`));
  define(parent.command(`${former} <id>`, { hidden: true }));
}

function checkFile(statements: Statements, file: BankFile, options: ReadOptions, io: CliIo, json: boolean): void {
  const bar = createProgressBar('reading', file.sizeBytes, process.stderr);
  let scanned: ScannedFile;
  try {
    scanned = statements.read(file, options, bar.update);
  } finally {
    bar.clear();
  }
  const summary = summarizeStatements(scanned.statements);
  if (json) return io.json(summary);
  printScanned(io, file.name, scanned);
  io.line(`verdict: ${summary.verdict}`);
  for (const fault of describeFaults(scanned.statements)) io.line(`  ${fault}`);
  const refusal = statements.importRefusal(file.name, scanned, options);
  if (refusal !== undefined) {
    io.line('Would refuse the import:');
    for (const text of [refusal.message, ...refusal.details]) io.line(`  ${text}`);
  }
  io.line(refusal === undefined ? 'Would import the file (dry run)' : 'nothing was stored (dry run)');
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

function printAccepted(
  io: CliIo,
  { kind, listed, warnings }: AcceptOutcome,
  { json, dryRun, calendar }: { readonly json: boolean; readonly dryRun: boolean; readonly calendar: BusinessCalendar },
): void {
  if (json) return io.json({ outcome: kind, dryRun, ...listedJson(listed), warnings });
  const { acceptance } = listed;
  if (kind === 'already_accepted' && acceptance !== undefined) {
    const { acceptedAt, acceptedBy } = acceptance;
    io.line(`already accepted, ${calendar.formatLocal(acceptedAt)} by ${acceptedBy}; nothing was changed`);
  } else io.line(dryRun ? 'Would accept the statement (dry run)' : 'accepted: its lines are posted and reconciled');
  printStatement(io, listed, calendar);
  for (const warning of warnings) io.line(warning);
}

function printCsv(io: CliIo, header: readonly string[], rows: readonly (readonly CsvField[])[]): void {
  for (const row of [header, ...rows]) io.line(csvLine(row).trimEnd());
}

function columnsText(columns: object): string {
  return Object.values(columns)
    .filter((column) => typeof column === 'string')
    .join(', ');
}

function isJson(options: OutputOptions): boolean {
  if (options.json === true && options.csv === true) throw onlyOneOf('--json', '--csv');
  return options.json === true;
}
