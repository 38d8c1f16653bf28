import type { Command } from 'commander';
import { type BusinessCalendar, rowsOfPages } from '../kernel';
import { rereadJson } from '../shapes/bank-file-imports';
import { announcedEntryJson, statementLineJson } from '../shapes/statement-lines';
import { profileJson } from '../shapes/statement-profiles';
import { statementJson, toPostJson } from '../shapes/statements';
import {
  type AcceptOutcome,
  type ListedStatement,
  type PendingEntry,
  type PendingKey,
  type StatementKey,
} from '../statements';
import {
  type CliIo,
  type RegisterCommands,
  type RunCommand,
  type ShowOptions,
  whoActs,
  writeAside,
  type WriteOptions,
} from './command';
import { faultText } from './error-texts';
import { fullId } from './full-id';
import { t, texts } from './language';
import { nextReconcile } from './next-reconcile';
import { onlyOneOf } from './option-values';
import { registerPayoutMarks } from './payout-marks';
import { printCsv } from './print-csv';
import { columnText, printSection, printTable } from './print-table';
import { registerAccountCommands } from './statement-accounts';
import { registerImportCommand } from './statement-import';
import { LINE_CSV, LISTED_CSV } from './statement-shapes';
import {
  LISTED_COLUMNS,
  listedRow,
  PENDING_COLUMNS,
  pendingRow,
  printStatement,
  SHOWN_LINE_COLUMNS,
  shownLineRow,
  toPostText,
} from './statement-texts';

interface DecisionOptions extends WriteOptions {
  reason: string;
}

interface OutputOptions extends ShowOptions {
  csv?: true;
}

/** The limit on the rows of a list. */
const LISTED_MAX = 1_000;

export const registerStatementCommands: RegisterCommands = (program, run) => {
  const statements = program.command('statements');
  registerImportCommand(statements, run);
  registerList(statements, run);
  registerShow(statements, run);
  registerAccept(statements, run);
  registerExclude(statements, run);
  registerPending(statements, run);
  registerVerify(statements, run);
  registerProfiles(statements, run);
  registerAccountCommands(statements, run);
  registerPayoutMarks(statements, run);
};

function registerList(statements: Command, run: RunCommand): void {
  statements
    .command('list')
    .option('--account <account>')
    .option('--waiting')
    .option('--json')
    .option('--csv')
    .action((options: OutputOptions & { account?: string; waiting?: boolean }) =>
      run(async (millime, io) => {
        const { account, waiting } = options;
        const found = await rowsOfPages<ListedStatement, StatementKey>(LISTED_MAX, (after, limit) =>
          millime.statements.list({ account, waiting, after, limit }),
        );
        if (isJson(options)) return io.json(found.map(statementJson));
        if (options.csv === true) return printCsv(io, LISTED_CSV, found);
        printTable(io, LISTED_COLUMNS, found.map(listedRow), t('cli:count.statement', { count: found.length }));
        if (found.length === LISTED_MAX) writeAside(t('cli:statements.newestOnly', { most: LISTED_MAX }));
      }),
    );
}

function registerShow(statements: Command, run: RunCommand): void {
  statements
    .command('show <id>')
    .option('--json')
    .option('--csv')
    .action((id: string, options: OutputOptions) =>
      run(async (millime, io) => {
        const shown = await millime.statements.show(await fullId(millime, id, 'statement'));
        const { lines, pending } = shown;
        if (isJson(options)) {
          return io.json({
            ...statementJson(shown),
            lines: lines.map(statementLineJson),
            pending: pending.map(announcedEntryJson),
          });
        }
        if (options.csv === true) return printCsv(io, LINE_CSV, lines);
        printStatement(io, shown, millime.calendar);
        printSection(io, columnText('lines'), SHOWN_LINE_COLUMNS, lines.map(shownLineRow));
        if (pending.length === 0) return;
        printSection(io, t('cli:statements.announced'), PENDING_COLUMNS, pending.map(pendingRow));
      }),
    );
}

function registerAccept(statements: Command, run: RunCommand): void {
  statements
    .command('accept <id>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((text: string, { reason, json = false, dryRun = false }: DecisionOptions) =>
      run(async (millime, io) => {
        const id = await fullId(millime, text, 'statement');
        const actor = await whoActs(millime, { decides: true });
        const outcome = await millime.statements.accept({ id, reason, actor, dryRun });
        const next = await nextReconcile(millime, [{ ...outcome.listed, isWaiting: false }]);
        printAccepted(io, outcome, { json, dryRun, next, calendar: millime.calendar });
      }),
    );
}

interface AcceptPrinted {
  readonly json: boolean;
  readonly dryRun: boolean;
  /** The next command. */
  readonly next: string | undefined;
  readonly calendar: BusinessCalendar;
}

function printAccepted(
  io: CliIo,
  { kind, listed, warnings, posts }: AcceptOutcome,
  { json, dryRun, next, calendar }: AcceptPrinted,
): void {
  if (json) {
    const shown = { ...statementJson(listed), warnings, posts: toPostJson(posts), next: next ?? null };
    return io.json({ outcome: kind, dryRun, ...shown });
  }
  const { acceptance } = listed;
  if (kind === 'already_accepted' && acceptance !== undefined) {
    const { acceptedAt, acceptedBy: by } = acceptance;
    io.line(t('cli:statements.alreadyAccepted', { when: calendar.formatLocal(acceptedAt), by }));
  } else io.line(t(dryRun ? 'cli:statements.wouldAccept' : 'cli:statements.acceptedNow'));
  printStatement(io, listed, calendar);
  for (const text of warnings) io.line(faultText({ text }));
  if (posts !== undefined) io.line(toPostText(posts, { dryRun, entries: listed.statement.entries }));
  if (!dryRun && next !== undefined) io.line(t('cli:error.run', { commands: `"${next}"` }));
}

function registerExclude(statements: Command, run: RunCommand): void {
  underBothNames(statements, { name: 'exclude', former: 'leave-out' }, (command) =>
    command
      .requiredOption('--reason <text>')
      .option('--dry-run')
      .option('--json')
      .action((text: string, { reason, json = false, dryRun = false }: DecisionOptions) =>
        run(async (millime, io) => {
          const id = await fullId(millime, text, 'statement');
          const actor = await whoActs(millime, { decides: true });
          const listed = await millime.statements.leaveOut({ id, reason, actor, dryRun });
          if (json) return io.json({ outcome: 'left_out', dryRun, ...statementJson(listed) });
          io.line(t(dryRun ? 'cli:statements.wouldExclude' : 'cli:statements.excludedNow', { id }));
        }),
      ),
  );
}

function registerPending(statements: Command, run: RunCommand): void {
  statements
    .command('pending')
    .option('--account <account>')
    .option('--json')
    .action((options: OutputOptions & { account?: string }) =>
      run(async (millime, io) => {
        const found = await rowsOfPages<PendingEntry, PendingKey>(LISTED_MAX, (after, limit) =>
          millime.statements.pending({ account: options.account, after, limit }),
        );
        if (isJson(options)) return io.json(found.map(announcedEntryJson));
        printTable(io, PENDING_COLUMNS, found.map(pendingRow), t('cli:count.movement', { count: found.length }));
        if (found.length === LISTED_MAX) writeAside(t('cli:statements.firstOnly', { most: LISTED_MAX }));
      }),
    );
}

function registerVerify(statements: Command, run: RunCommand): void {
  underBothNames(statements, { name: 'verify', former: 'reread' }, (command) =>
    command.option('--json').action((id: string, options: OutputOptions) =>
      run(async (millime, io) => {
        const reread = await millime.statements.reread(await fullId(millime, id, 'statement'));
        if (isJson(options)) return io.json(rereadJson(reread));
        const { scanned, differences } = reread;
        const { sha256: digest } = scanned.facts;
        const read = { statements: t('cli:count.statement', { count: scanned.statements.length }), digest };
        io.line(t(differences.length === 0 ? 'cli:statements.verified' : 'cli:statements.differs', read));
        for (const text of differences) io.line(`  ${faultText({ text })}`);
      }),
    ),
  );
}

function registerProfiles(statements: Command, run: RunCommand): void {
  statements
    .command('profiles')
    .option('--json')
    .action((options: OutputOptions) =>
      // The profiles are in a file, so the database may be behind or missing.
      run.beforeMigration(async (millime, io) => {
        const profiles = millime.statements.profiles();
        if (isJson(options)) return io.json(profiles.map(profileJson));
        for (const profile of profiles) {
          io.line(`${profile.name} (${profile.format}): ${texts().phrase(profile.description)}`);
          if (profile.format === 'csv') {
            io.line(`  ${t('cli:statements.columns', { columns: columnsText(profile.columns) })}`);
          }
        }
      }),
    );
}

/** Registers a command on one id under its name and, hidden from help, under its former name. */
function underBothNames(
  parent: Command,
  { name, former }: { readonly name: string; readonly former: string },
  define: (command: Command) => unknown,
): void {
  define(parent.command(`${name} <id>`));
  define(parent.command(`${former} <id>`, { hidden: true }));
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
