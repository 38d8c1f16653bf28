import type { Command } from 'commander';
import type { ActionDone } from '../breaks';
import type { Millime } from '../compose';
import { AppError, formatDinars, millimes } from '../kernel';
import type { ItemChoice } from '../reconciliation';
import { explainedCreditJson } from '../shapes/credits';
import { lineSubject } from '../shapes/proposals';
import { type CliIo, type RunCommand, type ShowOptions, whoActs, type WriteOptions } from './command';
import { CREDIT_CLASSES, found, printCredit, printItems } from './credit-output';
import { fullId } from './full-id';
import { itemChoiceOf, type SelectionOptions, withSelection } from './item-selection';
import { t } from './language';
import { onlyOneOf } from './option-values';
import { registerUnpaidItems } from './unpaid-items';

interface DecisionOptions extends WriteOptions, SelectionOptions {
  items?: string;
  candidate?: string;
  reason?: string;
}

/** Adds the commands about one credit of the bank, and the list of the items to choose from. */
export function registerCredits(reconcile: Command, run: RunCommand): void {
  registerShow(reconcile, run);
  registerUnpaidItems(reconcile, run);
  registerMatch(reconcile, run);
  registerUnmatch(reconcile, run);
}

function registerShow(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('show <credit>')
    .option('--json')
    .action((text: string, _options: unknown, command: Command) =>
      run(async (millime, io) => {
        const { json } = command.optsWithGlobals<ShowOptions>();
        const credit = await millime.reconciliation.explain(await fullId(millime, text, 'credit'));
        const about = { subject: lineSubject(credit.line.lineId), breakId: credit.breakId };
        const waiting = await millime.breakWorkflow.waitingAbout(about);
        if (json !== true) return printCredit(io, credit, { calendar: millime.calendar, waiting });
        io.json({ ...explainedCreditJson(credit), proposalIds: waiting.map(({ id }) => id) });
      }),
    );
}

function registerUnmatch(reconcile: Command, run: RunCommand): void {
  reconcile
    .command('unmatch <line>')
    .option('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((text: string, _options: unknown, command: Command) =>
      run(async (millime, io) => {
        const { reason = '', dryRun = false, json } = command.optsWithGlobals<DecisionOptions>();
        const actor = await whoActs(millime, { decides: true });
        const lineId = await fullId(millime, text, 'credit');
        const done = await millime.reconciliation.unmatch({ lineId, reason, actor, dryRun });
        if (json === true) io.json(done);
        else {
          const items = t('cli:count.item', { count: done.itemIds.length });
          io.line(t(dryRun ? 'cli:credit.wouldUnmatch' : 'cli:credit.unmatched', { lineId: done.lineId, items }));
        }
      }),
    );
}

function registerMatch(reconcile: Command, run: RunCommand): void {
  withSelection(reconcile.command('match <line>').option('--items <ids>').option('--candidate <id>'))
    .option('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((text: string, _options: unknown, command: Command) =>
      run(async (millime, io) => {
        const options = command.optsWithGlobals<DecisionOptions>();
        const { reason = '', dryRun = false, json } = options;
        const actor = await whoActs(millime, { decides: true });
        const lineId = await fullId(millime, text, 'credit');
        const items = (await choiceOf(millime, options, lineId)) ?? [];
        const done = await millime.reconciliation.match({ lineId, items, reason, actor, dryRun });
        if (json === true) return io.json(done);
        const chosen = t('cli:count.item', { count: done.itemIds.length });
        const what = { lineId: done.lineId, items: chosen, amount: formatDinars(done.grossMillimes) };
        io.line(t(dryRun ? 'cli:credit.wouldMatch' : 'cli:credit.matched', what));
      }),
    );
}

type ChoiceOptions = SelectionOptions & Pick<DecisionOptions, 'items' | 'candidate'>;

/**
 * Returns the items that the options choose for a credit: named ones, a run, or those of a candidate.
 *
 * @throws AppError `bad_input` for several options, `not_found` for an unknown candidate.
 */
async function choiceOf(
  { reconciliation, calendar }: Pick<Millime, 'reconciliation' | 'calendar'>,
  { candidate, ...options }: ChoiceOptions,
  lineId: string | undefined,
): Promise<ItemChoice | undefined> {
  const choice = itemChoiceOf(options, calendar);
  if (candidate === undefined) return choice;
  if (choice !== undefined) throw onlyOneOf('--candidate', '--items, --channel, --agent, --day, --from and --through');
  if (lineId === undefined) {
    throw new AppError('bad_input', { field: '--candidate', expected: 'a credit, or a break of one credit' });
  }
  return reconciliation.candidateItems(lineId, candidate);
}

/**
 * Returns the ids of the items that the options choose now, for a proposal: what is approved is what was stored.
 * Undefined without such an option. `lineId`: the credit of a candidate.
 */
export async function proposedItems(
  millime: Pick<Millime, 'reconciliation' | 'calendar'>,
  options: ChoiceOptions,
  lineId: string | undefined,
): Promise<readonly string[] | undefined> {
  const choice = await choiceOf(millime, options, lineId);
  return choice === undefined ? undefined : millime.reconciliation.chosenItems(choice);
}

/**
 * Returns the break that a user names, by itself or by its credit; or the credit, if no open break is about it. An
 * unknown id is returned as that of a break.
 */
export async function breakOrCredit(
  millime: Pick<Millime, 'reporting' | 'breaks' | 'reconciliation'>,
  text: string,
): Promise<
  | { readonly breakId: string; readonly lineId: string | undefined }
  | { readonly breakId: undefined; readonly lineId: string }
> {
  const id = await fullId(millime, text, 'break', 'credit');
  const credit = await found(() => millime.reconciliation.credit(id));
  if (credit === undefined) return { breakId: id, lineId: undefined };
  const open = await millime.breaks.list({ classes: CREDIT_CLASSES });
  const ofCredit = open.find(({ subject }) => subject.lineIds.length === 1 && subject.lineIds[0] === id);
  return ofCredit === undefined ? { breakId: undefined, lineId: id } : { breakId: ofCredit.id, lineId: id };
}

/** Prints the items that a proposal of a match stores, with their sum and its difference to the credit. */
export function printChosenItems(
  io: CliIo,
  { itemIds }: Readonly<Record<string, unknown>>,
  { detail: { grossMillimes: gross, remainderMillimes: difference } = {} }: ActionDone,
): void {
  if (!Array.isArray(itemIds) || typeof gross !== 'number' || typeof difference !== 'number') return;
  const sums = { gross: formatDinars(millimes(gross)), difference: formatDinars(millimes(difference)) };
  io.line(t('cli:credit.chosen', { items: t('cli:count.item', { count: itemIds.length }), ...sums }));
  printItems((text) => io.line(text), itemIds.map(String), '  ');
}
