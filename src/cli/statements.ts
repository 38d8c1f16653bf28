import { Option } from 'commander';
import { formatDinars, formatInstant, type BusinessDate, type Millimes } from '../kernel';
import {
  decimalDinars,
  proveStatement,
  STATEMENT_FORMATS,
  summarizeStatements,
  type ImportRequest,
  type ReadFile,
  type ReadRequest,
  type Statement,
  type StatementFile,
  type StatementLine,
  type StatementProfile,
  type StatementFormat,
  type Statements,
} from '../statements';
import { readInputFile, whoActs, type CliIo, type RegisterCommands } from './command';

/** Enough for a person to see that amounts and dates were read as the bank meant them. */
const LINES_READ_BACK = 3;

interface ImportOptions {
  account?: string;
  profile?: string;
  format: StatementFormat | 'auto';
  dryRun?: boolean;
  json?: boolean;
}

export const registerStatementCommands: RegisterCommands = (program, run) => {
  const statements = program.command('statements').description('bank files and the statements in them');

  statements
    .command('import <file>')
    .description('read a bank file, prove its balances, keep it and post its lines')
    .option('--account <account>', 'the account, where the file does not name it or names it wrongly')
    .option('--profile <name>', 'how the bank writes; without it the header decides')
    .addOption(new Option('--format <format>', 'the format').choices(['auto', ...STATEMENT_FORMATS]).default('auto'))
    .option('--dry-run', 'read and prove, store nothing')
    .option('--json', 'print JSON')
    .action((file: string, options: ImportOptions) => {
      const { account, profile, format, json = false } = options;
      const request = (): ReadRequest => ({ name: file, bytes: readInputFile(file), account, profile, format });
      // A dry run asks the database nothing, so it need not be ready.
      return options.dryRun === true
        ? run.beforeMigration(async (millime, io) => checkFile(millime.statements, request(), io, json))
        : run(async (millime, io) => {
            const actor = await whoActs(millime, { decides: false });
            await importFile(millime.statements, { ...request(), actor }, io, json);
          });
    });

  statements
    .command('list')
    .description('the statements that were imported, the newest first')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      run(async (millime, io) => {
        const found = await millime.statements.list();
        if (options.json === true) return io.json(found.map(({ statement, file }) => statementJson(statement, file)));
        if (found.length === 0) io.line('no statements');
        for (const { statement, file } of found) {
          io.line(
            `${statement.id}  ${statement.account}  ${statement.sequence}  ${daysOf(statement)}  ` +
              `${statement.entries} lines  closing ${formatDinars(statement.closing)}  ${file.name}`,
          );
        }
      }),
    );

  statements
    .command('show <id>')
    .description('one statement with its lines')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) =>
      run(async (millime, io) => {
        const { statement, file, lines } = await millime.statements.show(id);
        if (options.json === true) {
          return io.json({ ...statementJson(statement, file), lines: lines.map(lineJson) });
        }
        printStatement(io, statement);
        io.line(`  file ${file.name}, sha256 ${file.sha256}`);
        io.line(`  imported ${formatInstant(file.importedAt)} by ${file.importedBy}, profile ${file.profile}`);
        for (const line of lines) io.line(lineText(line));
      }),
    );

  statements
    .command('profiles')
    .description('the bank formats that this installation reads')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      run(async (millime, io) => {
        const profiles = millime.statements.profiles();
        if (options.json === true) return io.json(profiles.map(profileJson));
        for (const profile of profiles) {
          io.line(`${profile.name}: ${profile.description}`);
          io.line(`  columns: ${Object.values(profile.columns).join(', ')}`);
        }
      }),
    );
};

function checkFile(statements: Statements, request: ReadRequest, io: CliIo, json: boolean): void {
  const read = statements.read(request);
  const { faults, ...summary } = summarizeStatements(read.statements);
  if (json) return io.json(summary);
  io.line(`${request.name}: ${read.format}, profile ${read.profile}`);
  printParsed(io, read);
  io.line(`verdict: ${summary.verdict}`);
  for (const fault of faults) io.line(`  ${fault}`);
  io.line('dry run: nothing was stored');
}

async function importFile(statements: Statements, request: ImportRequest, io: CliIo, json: boolean): Promise<void> {
  const outcome = await statements.import(request);
  const { file } = outcome;
  if (outcome.kind === 'already_imported') {
    if (json) return io.json({ outcome: outcome.kind, file: fileJson(file) });
    io.line(
      `${request.name}: imported before, ${formatInstant(file.importedAt)} by ${file.importedBy} as ${file.name}`,
    );
    return io.line('nothing was changed');
  }
  if (json) {
    return io.json({
      outcome: outcome.kind,
      file: fileJson(file),
      statements: outcome.statements.map((statement) => statementJson(statement, file)),
    });
  }
  io.line(`${request.name}: imported, ${file.format}, profile ${file.profile}, sha256 ${file.sha256}`);
  for (const statement of outcome.statements) {
    printStatement(io, statement);
    const { lines } = await statements.show(statement.id);
    printFirst(io, lines);
  }
}

function printParsed(io: CliIo, { statements }: ReadFile): void {
  for (const statement of statements) {
    const { credits, debits } = proveStatement(statement);
    io.line(`account ${statement.account ?? '(not named)'}, ${statement.currency}, ${statement.lines.length} lines`);
    io.line(`  opening ${balanceText(statement.opening)}, closing ${balanceText(statement.closing)}`);
    io.line(`  credits ${formatDinars(credits)}, debits ${formatDinars(debits)}`);
    printFirst(io, statement.lines);
  }
}

function printStatement(io: CliIo, statement: Statement): void {
  const { account, currency, sequence, entries } = statement;
  io.line(`statement ${statement.id}: account ${account}, number ${sequence}, ${currency}, ${daysOf(statement)}`);
  io.line(`  opening ${formatDinars(statement.opening)}, closing ${formatDinars(statement.closing)}`);
  io.line(`  ${entries} lines, credits ${formatDinars(statement.credits)}, debits ${formatDinars(statement.debits)}`);
}

type LineToShow = Pick<StatementLine, 'bookingDate' | 'amount' | 'counterparty' | 'remittance'>;

function printFirst(io: CliIo, lines: readonly LineToShow[]): void {
  if (lines.length === 0) return;
  io.line('  read back, to compare with the file:');
  for (const line of lines.slice(0, LINES_READ_BACK)) io.line(lineText(line));
}

function lineText({ bookingDate, amount, counterparty, remittance }: LineToShow): string {
  return `    ${bookingDate}  ${formatDinars(amount).padStart(18)}  ${[counterparty, remittance].filter(Boolean).join(' ')}`;
}

function balanceText(balance: Millimes | undefined): string {
  return balance === undefined ? '(not stated)' : formatDinars(balance);
}

function daysOf({
  firstDate,
  lastDate,
}: {
  firstDate: BusinessDate | undefined;
  lastDate: BusinessDate | undefined;
}): string {
  return firstDate === undefined || lastDate === undefined ? 'no lines' : `${firstDate} to ${lastDate}`;
}

function statementJson(statement: Statement, file: StatementFile): Record<string, unknown> {
  return {
    id: statement.id,
    account: statement.account,
    sequence: statement.sequence,
    currency: statement.currency,
    verdict: statement.verdict,
    opening: decimalDinars(statement.opening),
    closing: decimalDinars(statement.closing),
    entries: statement.entries,
    credits: decimalDinars(statement.credits),
    debits: decimalDinars(statement.debits),
    firstDate: statement.firstDate ?? null,
    lastDate: statement.lastDate ?? null,
    file: fileJson(file),
  };
}

function fileJson(file: StatementFile): Record<string, unknown> {
  return { ...file, importedAt: formatInstant(file.importedAt) };
}

function lineJson(line: StatementLine): Record<string, unknown> {
  const { amount, balanceAfter, statementId: _statementId, ...rest } = line;
  return {
    ...rest,
    valueDate: line.valueDate ?? null,
    amountMillimes: amount,
    balanceAfterMillimes: balanceAfter ?? null,
  };
}

function profileJson(profile: StatementProfile): Record<string, unknown> {
  const { name, description, encoding, delimiter, columns, dateFormat, decimalSign } = profile;
  return {
    name,
    description,
    encoding,
    delimiter,
    columns,
    dateFormat,
    decimalSign,
    payoutPattern: profile.payoutPattern?.source ?? null,
  };
}
