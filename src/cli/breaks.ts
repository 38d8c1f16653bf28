import { basename } from 'node:path';
import type { Command } from 'commander';
import { type BreakFilter, type BreakView, type BreakWorkflow, forEachBreak, type ItemResult } from '../breaks';
import type { Millime } from '../compose';
import type { Actor } from '../identity';
import { AppError, type BusinessCalendar, sha256Hex, shownText } from '../kernel';
import { breakEventJson, breakJson } from '../shapes/breaks';
import { explainedCreditJson } from '../shapes/credits';
import { proposalJson, shownProposalJson } from '../shapes/proposals';
import { filterOf, type FilterOptions, withFilter } from './break-filter';
import { chosenBreaks, everyBreak } from './break-ids';
import { registerProposalCommands } from './break-proposals';
import { BREAK_COLUMNS, BREAK_CSV, breakRow, breakSummary, breakText, proposalText } from './break-shapes';
import {
  type CliIo,
  EXIT,
  type ExitCode,
  readInputFile,
  type RegisterCommands,
  type RunCommand,
  type ShowOptions,
  whoActs,
  type WriteOptions,
} from './command';
import { creditOfBreak, printCredit } from './credit-output';
import { errorText } from './error-texts';
import { factText } from './fact-text';
import { fullId } from './full-id';
import { colon, t, word } from './language';
import { countOption, onlyOneOf } from './option-values';
import { printCsv } from './print-csv';
import { printSection, printTable } from './print-table';
import { printProposal, shownProposal } from './proposal-shapes';

interface ListOptions extends FilterOptions, ShowOptions {
  csv?: true;
  all?: true;
}

interface StepOptions extends FilterOptions, WriteOptions {
  ifVersion?: string;
}

export const registerBreakCommands: RegisterCommands = (program, run) => {
  const breaks = program.command('breaks');
  registerList(breaks, run);
  registerShow(breaks, run);
  registerAssign(breaks, run);
  registerComment(breaks, run);
  registerDecision(breaks, run, 'resolve');
  registerDecision(breaks, run, 'reopen');
  registerProposalCommands(breaks, run);
};

function registerList(breaks: Command, run: RunCommand): void {
  withFilter(breaks.command('list'))
    .option('--all')
    .option('--json')
    .option('--csv')
    .action((options: ListOptions) =>
      run(async ({ breakWorkflow }, io) => {
        if (options.json === true && options.csv === true) throw onlyOneOf('--json', '--csv');
        printList(io, await everyBreak(breakWorkflow, listFilter(options)), options);
      }),
    );
}

function registerShow(breaks: Command, run: RunCommand): void {
  breaks
    .command('show <id>')
    .option('--json')
    .action((text: string, options: ShowOptions) =>
      run(async (millime, io) => {
        const shown = await millime.breakWorkflow.show(await fullId(millime, text, 'break'));
        const { breakView, history, proposals } = shown;
        const credit = await creditOfBreak(millime, breakView);
        const { proposalId } = breakView;
        const pending = proposalId === undefined ? undefined : await shownProposal(millime, proposalId);
        if (options.json !== true) {
          printBreak(io, shown, millime.calendar);
          if (pending !== undefined) printProposal(io, pending, millime.calendar);
          if (credit !== undefined) printCredit(io, credit, millime);
          return;
        }
        const steps = history.map(breakEventJson);
        const pendingJson = pending === undefined ? null : shownProposalJson(pending);
        const explained = credit === undefined ? null : explainedCreditJson(credit);
        const decisions = { proposals: proposals.map(proposalJson), pendingProposal: pendingJson };
        io.json({ ...breakJson(breakView), credit: explained, ...decisions, history: steps });
      }),
    );
}

function registerAssign(breaks: Command, run: RunCommand): void {
  stepCommand(breaks, 'assign')
    .requiredOption('--to <name>')
    .action((ids: string[], options: StepOptions & { to: string }) =>
      runOnEach(run, ids, { ...options, decides: false }, (workflow, step) =>
        workflow.assign({ ...step, assignee: options.to }),
      ),
    );
}

function registerComment(breaks: Command, run: RunCommand): void {
  stepCommand(breaks, 'comment')
    .option('--text <text>')
    .option('--evidence <file>')
    .action((ids: string[], options: StepOptions & { text?: string; evidence?: string }) => {
      const { text, evidence: path } = options;
      const evidence =
        path === undefined ? undefined : { fileName: basename(path), sha256: sha256Hex(readInputFile(path)) };
      return runOnEach(run, ids, { ...options, decides: false }, (workflow, step) =>
        workflow.comment({ ...step, text, evidence }),
      );
    });
}

function registerDecision(breaks: Command, run: RunCommand, name: 'resolve' | 'reopen'): void {
  stepCommand(breaks, name)
    .requiredOption('--reason <text>')
    .action((ids: string[], options: StepOptions & { reason: string }) =>
      runOnEach(run, ids, { ...options, decides: true }, (workflow, step) =>
        workflow[name]({ ...step, reason: options.reason }),
      ),
    );
}

function stepCommand(breaks: Command, name: string): Command {
  return withFilter(breaks.command(`${name} [ids...]`))
    .option('--if-version <number>')
    .option('--dry-run')
    .option('--json');
}

/** Returns the break ids in full. `-` stays. */
async function fullIds(millime: Millime, named: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of named) ids.push(text === '-' ? text : await fullId(millime, text, 'break'));
  return ids;
}

interface Step {
  readonly id: string;
  readonly actor: Actor;
  readonly dryRun: boolean;
  readonly ifVersion: number | undefined;
}

function runOnEach(
  run: RunCommand,
  named: readonly string[],
  options: StepOptions & { readonly decides: boolean },
  work: (workflow: BreakWorkflow, step: Step) => Promise<'done' | 'unchanged'>,
): Promise<void> {
  return run(async (millime, io) => {
    const actor = await whoActs(millime, { decides: options.decides });
    const dryRun = options.dryRun === true;
    const ifVersion = options.ifVersion === undefined ? undefined : countOption('--if-version', options.ifVersion);
    const ids = await chosenBreaks(millime.breakWorkflow, await fullIds(millime, named), options);
    if (ifVersion !== undefined && ids.length !== 1) {
      throw new AppError('bad_input', { field: '--if-version', expected: 'exactly one break', got: ids.length });
    }
    const results = await forEachBreak(ids, (id) => work(millime.breakWorkflow, { id, actor, dryRun, ifVersion }));
    return printResults(io, results, { json: options.json === true, dryRun });
  });
}

/** Prints each result. After one refusal the exit code is that of bad input, even if the other steps succeeded. */
function printResults(
  io: CliIo,
  results: readonly ItemResult[],
  { json, dryRun }: { readonly json: boolean; readonly dryRun: boolean },
): ExitCode {
  const refused = results.filter(({ outcome }) => outcome === 'refused').length;
  if (json) io.json({ dryRun, done: results.length - refused, refused, results: results.map(resultJson) });
  else {
    for (const each of results) {
      const why = each.outcome === 'refused' ? errorText(each.error) : undefined;
      io.line(`${each.id}  ${colon(word('stepOutcome', each.outcome), why)}`);
    }
    const done = results.length - refused;
    io.line(t(dryRun ? 'cli:breaks.wouldChange' : 'cli:breaks.changed', { done, refused }));
  }
  return refused === 0 ? EXIT.done : EXIT.badInput;
}

function resultJson(result: ItemResult): Readonly<Record<string, string>> {
  if (result.outcome !== 'refused') return result;
  const { id, outcome, error } = result;
  return { id, outcome, code: error.code, reason: error.message };
}

function listFilter(options: ListOptions): BreakFilter {
  if (options.all === true && options.status !== undefined) {
    throw onlyOneOf('--all', '--status');
  }
  const all: BreakFilter = options.all === true ? { statuses: ['open', 'assigned', 'proposed', 'resolved'] } : {};
  return { ...all, ...filterOf(options) };
}

function printList(io: CliIo, found: readonly BreakView[], { json, csv }: ListOptions): void {
  if (json === true) return io.json(found.map(breakJson));
  if (csv === true) return printCsv(io, BREAK_CSV, found);
  printTable(io, BREAK_COLUMNS, found.map(breakRow), breakSummary(found));
}

function printBreak(
  io: CliIo,
  { breakView, history, proposals }: Awaited<ReturnType<BreakWorkflow['show']>>,
  calendar: BusinessCalendar,
): void {
  const { itemIds, lineIds, facts } = breakView.subject;
  io.line(breakText(breakView));
  for (const [name, value] of Object.entries(facts)) io.line(`  ${factText(name, value, calendar)}`);
  for (const item of itemIds) io.line(`  ${t('cli:breaks.item', { item: shownText(item) })}`);
  for (const line of lineIds) io.line(`  ${t('cli:breaks.line', { line: shownText(line) })}`);
  for (const proposal of proposals.filter(({ decision }) => decision !== undefined)) {
    io.line(`  ${t('cli:breaks.proposal', { text: proposalText(proposal) })}`);
  }
  const rows = history.map(({ at, kind, actor, detail }) => {
    const facts = Object.entries(detail).map(([name, value]) =>
      // Here a person typed the reason.
      name === 'reason' ? colon(t('cli:column.reason'), shownText(String(value))) : factText(name, value, calendar),
    );
    return [calendar.formatLocal(at), word('breakEvent', kind), shownText(actor), facts.join(', ')];
  });
  printSection(io, t('cli:breaks.history'), ['time', 'event', 'actor', 'detail'], rows);
}
