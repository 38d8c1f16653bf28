import { Option, type Command } from 'commander';
import { counted, csvLine, formatInstant, type CsvField } from '../kernel';
import {
  bankFileAt,
  LISTED_MAX,
  describeFaults,
  PROPOSED_PROFILE,
  STATEMENT_FORMATS,
  summarizeStatements,
  type AcceptOutcome,
  type BankFile,
  type ImportOutcome,
  type ReadOptions,
  type ScannedFile,
  type StatementFormat,
  type Statements,
} from '../statements';
import type { Actor } from '../identity';
import { whoActs, writeAside, type CliIo, type RegisterCommands } from './command';
import { onlyOneOf } from './only-one-of';
import { createProgressBar } from './progress-bar';
import {
  lineCells,
  LINE_HEADER,
  lineJson,
  listedCells,
  LISTED_HEADER,
  listedJson,
  pendingJson,
  profileJson,
  fileJson,
} from './statement-shapes';
import { lineText, listedText, pendingText, printScanned, printStatement } from './statement-texts';

/** Enough for a person to see that amounts and dates were read as the bank meant them. */
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
    .description('read a bank file, prove its balances, keep it and post its lines')
    .option('--account <account>', 'the account, where the file does not name it or names it wrongly')
    .option(
      '--profile <name>',
      `how the bank writes; without it the file decides; "${PROPOSED_PROFILE}": as its header suggests`,
    )
    .addOption(new Option('--format <format>', 'the format').choices(['auto', ...STATEMENT_FORMATS]).default('auto'))
    .option('--dry-run', 'read and prove, store nothing')
    .option('--json', 'print JSON')
    .action((path: string, { dryRun, json = false, ...options }: ImportOptions) => {
      // A dry run asks the database nothing, so it need not be ready.
      if (dryRun === true) {
        return run.beforeMigration(async (millime, io) =>
          checkFile(millime.statements, bankFileAt(path), options, io, json),
        );
      }
      return run.onNewBooks(async (millime, io) => {
        const file = bankFileAt(path);
        const actor = await whoActs(millime, { decides: false });
        await importFile(millime.statements, { file, options, actor }, io, json);
      });
    });

  statements
    .command('list')
    .description('the statements that were imported, the newest first')
    .option('--account <account>', 'only of this account')
    .option('--waiting', 'only those that do not count until somebody accepts them')
    .option('--json', 'print JSON')
    .option('--csv', 'print CSV')
    .action((options: OutputOptions & { account?: string; waiting?: boolean }) =>
      run(async (millime, io) => {
        const { account, waiting } = options;
        const found = await millime.statements.list({ account, waiting });
        if (isJson(options)) return io.json(found.map(listedJson));
        if (options.csv === true) return printCsv(io, LISTED_HEADER, found.map(listedCells));
        if (found.length === 0) io.line('no statements');
        for (const listed of found) io.line(listedText(listed));
        if (found.length === LISTED_MAX) writeAside(`only the newest ${LISTED_MAX} are shown`);
      }),
    );

  statements
    .command('show <id>')
    .description('one statement with its lines')
    .option('--json', 'print JSON')
    .option('--csv', 'print its lines as CSV')
    .action((id: string, options: OutputOptions) =>
      run(async (millime, io) => {
        const shown = await millime.statements.show(id);
        const { lines, pending } = shown;
        if (isJson(options)) {
          return io.json({ ...listedJson(shown), lines: lines.map(lineJson), pending: pending.map(pendingJson) });
        }
        if (options.csv === true) return printCsv(io, LINE_HEADER, lines.map(lineCells));
        printStatement(io, shown);
        for (const { line, known } of lines) io.line(`${lineText(line)}${known ? '  (known before)' : ''}`);
        if (pending.length > 0) io.line('  announced, not booked:');
        for (const entry of pending) io.line(pendingText(entry));
      }),
    );

  statements
    .command('accept <id>')
    .description('count a statement that cannot prove itself, or contradicts another: its lines are posted')
    .requiredOption('--reason <text>', 'why it is to be counted')
    .option('--dry-run', 'check, change nothing')
    .option('--json', 'print JSON')
    .action((id: string, { reason, json = false, dryRun = false }: DecisionOptions) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        printAccepted(io, await millime.statements.accept({ id, reason, actor, dryRun }), { json, dryRun });
      }),
    );

  underBothNames(statements, { name: 'exclude', former: 'leave-out' }, (command) =>
    command
      .description('decide that a statement on hold is not to be counted: its break is closed')
      .requiredOption('--reason <text>', 'why it is not to be counted')
      .option('--dry-run', 'check, change nothing')
      .option('--json', 'print JSON')
      .action((id: string, { reason, json = false, dryRun = false }: DecisionOptions) =>
        run(async (millime, io) => {
          const actor = await whoActs(millime, { decides: true });
          const listed = await millime.statements.leaveOut({ id, reason, actor, dryRun });
          if (json) return io.json({ outcome: 'left_out', dryRun, ...listedJson(listed) });
          io.line(`left out: its lines do not count${dryRun ? ' (dry run)' : ''}`);
        }),
      ),
  );

  statements
    .command('pending')
    .description('what banks have announced and not booked yet')
    .option('--account <account>', 'only of this account')
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { account?: string }) =>
      run(async (millime, io) => {
        const found = await millime.statements.pending(options.account);
        if (isJson(options)) return io.json(found.map(pendingJson));
        if (found.length === 0) io.line('nothing is announced');
        for (const entry of found) io.line(pendingText(entry));
        if (found.length === LISTED_MAX) writeAside(`only the first ${LISTED_MAX} are shown`);
      }),
    );

  underBothNames(statements, { name: 'verify', former: 'reread' }, (command) =>
    command
      .description("read the kept bytes of a statement's file again and compare with what was stored")
      .option('--json', 'print JSON')
      .action((id: string, options: OutputOptions) =>
        run(async (millime, io) => {
          const { scanned, differences } = await millime.statements.reread(id);
          const { sha256 } = scanned.facts;
          if (isJson(options)) return io.json({ sha256, ...summarizeStatements(scanned.statements), differences });
          io.line(`read again: ${scanned.statements.length} statements, sha256 ${sha256}`);
          io.line(differences.length === 0 ? 'the same as was stored' : 'not what was stored:');
          for (const difference of differences) io.line(`  ${difference}`);
        }),
      ),
  );

  statements
    .command('profiles')
    .description('the bank formats that this installation reads')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      // They are in a file of their own.
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
    io.line('an import would refuse it:');
    for (const text of [refusal.message, ...refusal.details]) io.line(`  ${text}`);
  }
  io.line('dry run: nothing was stored');
}

async function importFile(
  statements: Statements,
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
        writeAside(`another import is at work (${fileName}, since ${formatInstant(startedAt)}); waiting for it to end`),
    });
  } finally {
    bar.clear();
  }
  if (json) return io.json(importedJson(outcome));
  if (outcome.kind === 'already_imported') {
    const { importedAt, importedBy, name } = outcome.file;
    io.line(`${file.name}: already imported, ${formatInstant(importedAt)} by ${importedBy} as ${name}`);
    return io.line('nothing was changed');
  }
  const { format, profile, sha256 } = outcome.file;
  io.line(`${file.name}: imported, ${format}${profile === '' ? '' : `, profile ${profile}`}, sha256 ${sha256}`);
  for (const listed of outcome.statements) {
    printStatement(io, listed);
    const { lines } = await statements.show(listed.statement.id, { lines: LINES_READ_BACK });
    if (lines.length > 0) io.line('  read back, to compare with the file:');
    for (const { line } of lines) io.line(lineText(line));
  }
  for (const { statement, before } of outcome.duplicates) {
    io.line(`left out: a statement of account ${statement.account} that was imported before as statement ${before.id}`);
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
  { json, dryRun }: { readonly json: boolean; readonly dryRun: boolean },
): void {
  if (json) return io.json({ outcome: kind, dryRun, ...listedJson(listed), warnings });
  const { acceptance } = listed;
  if (kind === 'already_accepted' && acceptance !== undefined) {
    const { acceptedAt, acceptedBy } = acceptance;
    io.line(`accepted before, ${formatInstant(acceptedAt)} by ${acceptedBy}; nothing was changed`);
  } else io.line(dryRun ? 'can be accepted; dry run: nothing was changed' : 'accepted: its lines count from now on');
  printStatement(io, listed);
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
