import type { Command } from 'commander';
import { AppError, formatDinars, ROWS_EXAMINED_MAX, rowsOfPages, shownText, ZERO_MILLIMES } from '../kernel';
import { readFeesFile } from '../payout-inference';
import type {
  FeeSchedule,
  FeeScheduleKey,
  Reconciliation,
  ReconciliationResult,
  RunDifference,
} from '../reconciliation';
import { feeScheduleJson, feeScheduleState, runJson, runResultJson } from '../shapes/runs';
import type { BankLine } from '../statements';
import type { TextKey } from '../texts';
import {
  type CliIo,
  EXIT,
  readInputFile,
  type RegisterCommands,
  type RunCommand,
  whoActs,
  type WriteOptions,
} from './command';
import { registerCredits } from './credits';
import { fullId } from './full-id';
import { t, word } from './language';
import { feeText } from './match-summary';
import { dayOption, onlyOneOf } from './option-values';
import { printTable } from './print-table';

const RUNS_LISTED_MAX = 50;

interface Options extends WriteOptions {
  through?: string;
  replay?: string;
}

/** The options of a subcommand. The parent command gets the flags that both define. */
interface DecisionOptions extends Options {
  reason?: string;
  confirm?: true;
  file?: string;
}

export const registerReconcileCommand: RegisterCommands = (program, run) => {
  const reconcile = program
    .command('reconcile')
    .option('--through <date>')
    .option('--replay <run>')
    .option('--dry-run')
    .option('--json')
    .action((options: Options) => (options.replay === undefined ? explain(run, options) : replay(run, options)));
  registerRuns(reconcile, run);
  registerCredits(reconcile, run);
  registerFees(reconcile, run);
};

function explain(run: RunCommand, options: Options): Promise<void> {
  return run(async (millime, io) => {
    const through = dayOption('--through', options.through);
    const dryRun = options.dryRun === true;
    const { result, difference } = await millime.reconciliation.runAndCompare({
      ...(through === undefined ? {} : { through }),
      actor: await whoActs(millime, { decides: false }),
      dryRun,
    });
    if (options.json === true) io.json(runResultJson({ result, difference }, { dryRun }));
    else {
      const open = result.credits.filter(({ outcome }) => outcome !== 'resolved');
      const lines = await millime.statements.linesById(open.map(({ line_id }) => line_id));
      print(result, io, { open, lines, difference: dryRun ? difference : undefined });
    }
    return result.verdict === 'breaks' || result.verdict === 'incomplete' ? EXIT.breaks : EXIT.done;
  });
}

function replay(run: RunCommand, { replay: text = '', json, through, dryRun }: Options): Promise<void> {
  if (through !== undefined || dryRun !== undefined) {
    throw new AppError('bad_input', {
      field: '--replay',
      fault: 'cannot be combined with --through or --dry-run; it repeats a run through its own day and stores nothing',
    });
  }
  return run(async (millime, io) => {
    const runId = await fullId(millime, text, 'run');
    const result = await millime.reconciliation.replay(runId);
    if (json === true) io.json(result);
    else if (result.isSame) io.line(t('cli:runs.same', { runId, day: result.through }));
    else {
      const parts = result.differsIn.map((each) => word('replayDifference', each)).join(', ');
      io.line(t('cli:runs.differs', { runId, day: result.through, parts }));
    }
    return result.isSame ? EXIT.done : EXIT.breaks;
  });
}

function registerRuns(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('runs')
    .option('--json')
    .action((_options: unknown, command: Command) =>
      run(async (millime, io) => {
        const { rows: runs } = await millime.reconciliation.runs({ limit: RUNS_LISTED_MAX });
        const { json } = command.optsWithGlobals<Options>();
        if (json === true) io.json(runs.map(runJson));
        else {
          const rows = runs.map(({ id, through, verdict }) => [id, through, word('verdict', verdict)]);
          printTable(io, ['run', 'through', 'verdict'], rows, t('cli:count.run', { count: rows.length }));
        }
      }),
    );
}

function registerFees(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('fees')
    .option('--confirm')
    .option('--file <fees.json>')
    .option('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((_options: unknown, command: Command) =>
      run(async (millime, io) => {
        const { confirm, file, reason = '', dryRun = false, json } = command.optsWithGlobals<DecisionOptions>();
        if (confirm === true && file !== undefined) {
          throw onlyOneOf('--confirm', '--file');
        }
        const rules = file === undefined ? undefined : readFeesFile({ name: file, bytes: readInputFile(file) });
        const by = async () => ({ reason, actor: await whoActs(millime, { decides: true }), dryRun });
        if (confirm === true) await millime.reconciliation.confirmFees(await by());
        const given = rules === undefined ? [] : [await millime.reconciliation.giveFees({ ...(await by()), rules })];
        // A dry run stores nothing, so the stored schedules do not include its schedules.
        const schedules = [...(dryRun ? given : []), ...(await everySchedule(millime.reconciliation))];
        if (dryRun && given.length > 0 && json !== true) io.line(t('cli:fees.wouldSet'));
        if (json === true) io.json(schedules.map(feeScheduleJson));
        else if (schedules.length === 0) io.line(t('cli:fees.none'));
        else for (const schedule of schedules) printSchedule(schedule, io);
      }),
    );
}

function everySchedule(reconciliation: Pick<Reconciliation, 'feeSchedules'>): Promise<FeeSchedule[]> {
  return rowsOfPages<FeeSchedule, FeeScheduleKey>(Infinity, (after) =>
    reconciliation.feeSchedules({ after, limit: ROWS_EXAMINED_MAX }),
  );
}

function printSchedule(schedule: FeeSchedule, io: CliIo): void {
  const { rules, lineIds, firstDate, lastDate, confirmedBy } = schedule;
  const state = feeScheduleState(schedule);
  const by = confirmedBy === undefined ? '' : ` ${t('cli:fees.by', { by: shownText(confirmedBy) })}`;
  const credits = t('cli:count.credit', { count: lineIds.length });
  const from = { credits, from: firstDate ?? '?', to: lastDate ?? '?' };
  const learned = state === 'given' ? '' : `, ${t('cli:fees.learned', from)}`;
  io.line(`${word('feeState', state)}${by}${learned}`);
  if (rules.length === 0) io.line(`  ${t('cli:fees.noFees')}`);
  for (const rule of rules) io.line(`  ${feeText(rule)}`);
}

interface Printed {
  /** The credits without a match, and their lines. */
  readonly open: ReconciliationResult['credits'];
  readonly lines: readonly BankLine[];
  readonly difference: RunDifference | undefined;
}

function print(result: ReconciliationResult, io: CliIo, { open, lines, difference }: Printed): void {
  io.line(t('cli:runs.through', { day: result.through, verdict: word('verdict', result.verdict) }));
  io.line(`${label('cli:runs.matched')}${result.credits.length - open.length}, ${dinars(result.matchedMillimes)}`);
  const amounts = new Map(lines.map(({ lineId, amount }) => [lineId, amount]));
  for (const { line_id, outcome, proposal, candidates = [], remainder_millimes: rest } of open) {
    const amount = amounts.get(line_id) ?? ZERO_MILLIMES;
    // Without a run of items near it, the rest is the whole credit.
    const apart = rest === 0 || rest === amount ? '' : `, ${t('cli:runs.difference', { amount: dinars(rest) })}`;
    const proposed =
      proposal.length === 0
        ? ''
        : `  (${t('cli:runs.itemsProposed', { items: t('cli:count.item', { count: proposal.length }) })})`;
    const explained = candidates.length === 0 ? '' : `  (${t('cli:count.candidate', { count: candidates.length })})`;
    io.line(
      `${t('cli:runs.credit', { outcome: word('creditAnswer', outcome) })}  ${line_id}  ${dinars(amount)}${apart}${proposed || explained}`,
    );
  }
  if (open.some(({ candidates }) => candidates !== undefined)) {
    io.line(t('cli:runs.next'));
  }
  io.line(`${label('cli:runs.inTransit')}${dinars(result.pendingMillimes)}`);
  for (const { due_on, items, amount_millimes } of result.expected) {
    io.line(
      `  ${t('cli:runs.by', { day: due_on, amount: dinars(amount_millimes), items: t('cli:count.item', { count: items }) })}`,
    );
  }
  const classes = [...new Set(result.breaks.map((each) => each.class))].sort();
  io.line(`${label('cli:runs.breaks')}${result.breaks.length}`);
  for (const name of classes) {
    io.line(`  ${word('breakClass', name)}  ${result.breaks.filter((each) => each.class === name).length}`);
  }
  printDecided(result.decided, io);
  if (difference !== undefined) printDifference(difference, io);
}

/** Prints the number and the sum of the sizes of what two people wrote off and accepted. */
function printDecided(decided: ReconciliationResult['decided'], io: CliIo): void {
  const sum = (sizes: readonly number[]): string => dinars(sizes.reduce((total, size) => total + Math.abs(size), 0));
  const parts = decided.map((each) => each.written_off_millimes).filter((part) => part !== 0);
  if (parts.length > 0) io.line(`${label('cli:runs.writtenOff')}${parts.length}, ${sum(parts)}`);
  const accepted = decided.filter(({ resolution }) => resolution === 'accepted');
  if (accepted.length === 0) return;
  const rests = accepted.map((each) => (each.amount_millimes ?? 0) - each.written_off_millimes);
  io.line(`${label('cli:runs.accepted')}${accepted.length}, ${sum(rests)}`);
}

function printDifference({ newlyResolved, takenBack, breaks }: RunDifference, io: CliIo): void {
  io.line(t('cli:runs.compared'));
  io.line(`  ${t('cli:runs.newlyMatched', { matched: newlyResolved.length, takenBack: takenBack.length })}`);
  const changes = { fresh: breaks.new.length, persisting: breaks.persisting.length, resolved: breaks.resolved.length };
  io.line(`  ${t('cli:runs.breakChanges', changes)}`);
}

const LABEL_WIDTH = 19;

function label(key: TextKey): string {
  return t(key).padEnd(LABEL_WIDTH);
}

function dinars(amount: number | string): string {
  return formatDinars(BigInt(amount));
}
