import type { Command } from 'commander';
import { AppError, counted, formatDinars, formatInstant } from '../kernel';
import { readFeesFile } from '../payout-inference';
import { toFeeRuleJson, type FeeSchedule, type ReconciliationResult, type RunDifference } from '../reconciliation';
import { EXIT, readInputFile, whoActs, type CliIo, type RegisterCommands, type RunCommand } from './command';
import { dayOption } from './day-option';
import { idListOption } from './id-list-option';
import { onlyOneOf } from './only-one-of';
import { shownText } from './shown-text';

const RUNS_LISTED_MAX = 50;

interface Options {
  through?: string;
  replay?: string;
  dryRun?: true;
  json?: true;
}

/** Those of a command below `reconcile`; flags that both know arrive at the upper one. */
interface DecisionOptions extends Options {
  items?: string;
  reason?: string;
  confirm?: true;
  file?: string;
}

export const registerReconcileCommand: RegisterCommands = (program, run) => {
  const reconcile = program
    .command('reconcile')
    .option('--through <date>', 'the last day to look at; yesterday when not given')
    .option('--replay <run>', 'repeat a run of the past on what it knew, and compare; exit code 3 when it differs')
    .option('--dry-run', 'work it out, keep nothing, and show what would change')
    .option('--json', 'print JSON')
    .action((options: Options) => (options.replay === undefined ? explain(run, options) : replay(run, options)));
  registerRuns(reconcile, run);
  registerUnmatch(reconcile, run);
  registerMatch(reconcile, run);
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
    if (options.json === true) io.json({ ...result, ...(dryRun ? { difference } : {}) });
    else print(result, io, dryRun ? difference : undefined);
    return result.verdict === 'breaks' || result.verdict === 'incomplete' ? EXIT.breaks : EXIT.done;
  });
}

function replay(run: RunCommand, { replay: runId = '', json, through, dryRun }: Options): Promise<void> {
  if (through !== undefined || dryRun !== undefined) {
    throw new AppError('bad_input', {
      field: '--replay',
      fault: 'cannot be combined with --through or --dry-run; it repeats a run through its own day and stores nothing',
    });
  }
  return run(async (millime, io) => {
    const result = await millime.reconciliation.replay(runId);
    if (json === true) io.json(result);
    else if (result.isSame) io.line(`run ${runId} through ${result.through}: the same again`);
    else io.line(`run ${runId} through ${result.through}: differs in ${result.differsIn.join(', ')}`);
    return result.isSame ? EXIT.done : EXIT.breaks;
  });
}

function registerRuns(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('runs')
    .description('list the runs on record, the newest first')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      run(async (millime, io) => {
        const runs = await millime.reconciliation.runs(RUNS_LISTED_MAX);
        const { json } = command.optsWithGlobals<Options>();
        if (json === true) io.json(runs.map((each) => ({ ...each, recordedAt: formatInstant(each.recordedAt) })));
        else for (const { id, through, verdict } of runs) io.line(`${id}  through ${through}  ${verdict}`);
      }),
    );
}

function registerUnmatch(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('unmatch <line>')
    .description('take the match of a credit back: its items are open again, and the credit is left to people')
    .option('--reason <text>', 'why the match is wrong')
    .option('--dry-run', 'say what it would do, keep nothing')
    .option('--json', 'print JSON')
    .action((lineId: string, _options: unknown, command: Command) =>
      run(async (millime, io) => {
        const { reason = '', dryRun = false, json } = command.optsWithGlobals<DecisionOptions>();
        const actor = await whoActs(millime, { decides: true });
        const done = await millime.reconciliation.unmatch({ lineId, reason, actor, dryRun });
        if (json === true) io.json(done);
        else io.line(`${dryRun ? 'would unmatch' : 'unmatched'} ${done.lineId}: ${done.itemIds.length} items are open`);
      }),
    );
}

function registerMatch(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('match <line>')
    .description('match a credit to items on your word; the amounts must fit, else propose it at the break desk')
    .option('--items <ids>', 'the items, with commas between them')
    .option('--reason <text>', 'how it is known')
    .option('--dry-run', 'say what it would do, keep nothing')
    .option('--json', 'print JSON')
    .action((lineId: string, _options: unknown, command: Command) =>
      run(async (millime, io) => {
        const { items = '', reason = '', dryRun = false, json } = command.optsWithGlobals<DecisionOptions>();
        const actor = await whoActs(millime, { decides: true });
        const itemIds = idListOption(items);
        const done = await millime.reconciliation.match({ lineId, itemIds, reason, actor, dryRun });
        if (json === true) io.json(done);
        else io.line(`${dryRun ? 'would match' : 'matched'} ${done.lineId}: ${formatDinars(done.grossMillimes)}`);
      }),
    );
}

function registerFees(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('fees')
    .description(
      'show what is known of the fees of the gateway, confirm what was learned, or give what the contract says',
    )
    .option('--confirm', 'take responsibility for the last schedule: no run learns another')
    .option('--file <fees.json>', 'all the fees that hold from now on, in the format of match --fees')
    .option('--reason <text>', 'how the fees are known')
    .option('--dry-run', 'say what it would do, keep nothing')
    .option('--json', 'print JSON')
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
        // On trial it is not among those that are kept.
        const schedules = [...(dryRun ? given : []), ...(await millime.reconciliation.feeSchedules())];
        if (dryRun && given.length > 0 && json !== true) io.line('what would hold, and what is known now:');
        if (json === true) io.json(schedules.map(scheduleJson));
        else if (schedules.length === 0) io.line('no fee schedule was learned or given yet');
        else for (const schedule of schedules) printSchedule(schedule, io);
      }),
    );
}

function scheduleJson(schedule: FeeSchedule): unknown {
  const { id, rules, lineIds, firstDate, lastDate, recordedAt, confirmedBy, confirmedAt } = schedule;
  return {
    id,
    state: stateOf(schedule),
    fees: rules.map(toFeeRuleJson),
    credits: lineIds,
    firstDate: firstDate ?? null,
    lastDate: lastDate ?? null,
    recordedAt: formatInstant(recordedAt),
    confirmedBy: confirmedBy ?? null,
    confirmedAt: confirmedAt === undefined ? null : formatInstant(confirmedAt),
  };
}

/** What a person gave was learned from no credit. */
function stateOf({ lineIds, confirmedBy }: FeeSchedule): 'inferred' | 'confirmed' | 'given' {
  if (confirmedBy === undefined) return 'inferred';
  return lineIds.length === 0 ? 'given' : 'confirmed';
}

function printSchedule(schedule: FeeSchedule, io: CliIo): void {
  const { rules, lineIds, firstDate, lastDate, confirmedBy } = schedule;
  const state = stateOf(schedule);
  const by = confirmedBy === undefined ? '' : ` by ${shownText(confirmedBy)}`;
  const learned = `, from ${lineIds.length} credits of ${firstDate ?? '?'} to ${lastDate ?? '?'}`;
  io.line(`${state}${by}${state === 'given' ? '' : learned}`);
  if (rules.length === 0) io.line('  nothing is kept');
  for (const { channel, ratePpm, fixedMillimes, tvaPpm, rounding, basis, from } of rules) {
    const since = from === undefined ? '' : `, from ${from}`;
    io.line(
      `  ${channel}  ${ratePpm} ppm + ${fixedMillimes} millimes, TVA ${tvaPpm} ppm, ${rounding}, per ${basis}${since}`,
    );
  }
}

function print(result: ReconciliationResult, io: CliIo, difference: RunDifference | undefined): void {
  const resolved = result.credits.filter(({ outcome }) => outcome === 'resolved');
  const open = result.credits.filter(({ outcome }) => outcome !== 'resolved');
  io.line(`through ${result.through}: ${result.verdict}`);
  io.line(`credits explained  ${resolved.length}, ${dinars(result.matchedMillimes)}`);
  for (const { line_id, outcome, remainder_millimes, proposal } of open) {
    const proposed = proposal.length === 0 ? '' : `  (${proposal.length} items are proposed)`;
    io.line(`credit ${outcome}  ${line_id}  ${dinars(remainder_millimes)}${proposed}`);
  }
  io.line(`on its way         ${dinars(result.pendingMillimes)}`);
  for (const { due_on, items, amount_millimes } of result.expected) {
    io.line(`  by ${due_on}  ${dinars(amount_millimes)}, ${items} items`);
  }
  const classes = [...new Set(result.breaks.map((each) => each.class))].sort();
  io.line(`breaks             ${result.breaks.length}`);
  for (const name of classes) io.line(`  ${name}  ${result.breaks.filter((each) => each.class === name).length}`);
  if (difference !== undefined) printDifference(difference, io);
}

function printDifference({ newlyResolved, takenBack, breaks }: RunDifference, io: CliIo): void {
  io.line('against the last run');
  io.line(`  credits newly explained  ${newlyResolved.length}, taken back ${takenBack.length}`);
  io.line(
    `  breaks  ${breaks.new.length} new, ${breaks.persisting.length} persisting, ${breaks.resolved.length} resolved`,
  );
}

function dinars(amount: number | string): string {
  return formatDinars(BigInt(amount));
}
