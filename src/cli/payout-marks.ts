import type { Command } from 'commander';
import type { Millime } from '../compose';
import { AppError } from '../kernel';
import type { MarkedPayouts } from '../reconciliation';
import { markedPayoutsJson } from '../shapes/credit-decisions';
import type { CreditChoice } from '../statements';
import { type CliIo, type RunCommand, whoActs, type WriteOptions } from './command';
import { fullId } from './full-id';
import { t } from './language';
import { dayOption, onlyOneOf } from './option-values';
import { printTable } from './print-table';
import { LINE_COLUMNS, lineRow } from './statement-texts';

interface MarkOptions extends WriteOptions {
  account?: string;
  from?: string;
  through?: string;
  payoutPattern: string;
  reason: string;
}

/** Adds the commands that correct which stored credits may be payouts. */
export function registerPayoutMarks(statements: Command, run: RunCommand): void {
  register(statements, run, { name: 'mark-payouts', isPayout: true });
  register(statements, run, { name: 'unmark-payouts', isPayout: false });
}

function register(
  statements: Command,
  run: RunCommand,
  { name, isPayout }: { readonly name: string; readonly isPayout: boolean },
): void {
  statements
    .command(`${name} [statement]`)
    .option('--account <account>')
    .option('--from <date>')
    .option('--through <date>')
    .requiredOption('--payout-pattern <regexp>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((text: string | undefined, options: MarkOptions) =>
      run(async (millime, io) => {
        const { payoutPattern, reason, dryRun = false, json } = options;
        const choice = await choiceOf(millime, text, options);
        const actor = await whoActs(millime, { decides: true });
        const command = { choice, payoutPattern, isPayout, reason, actor, dryRun };
        const marked = await millime.reconciliation.markPayouts(command);
        if (json === true) io.json(markedPayoutsJson(marked, { isPayout, dryRun }));
        else print(io, marked, { isPayout, dryRun });
      }),
    );
}

async function choiceOf(
  millime: Pick<Millime, 'reporting'>,
  text: string | undefined,
  { account, from, through }: MarkOptions,
): Promise<CreditChoice> {
  if (text !== undefined) {
    const other = Object.entries({ account, from, through }).find(([, value]) => value !== undefined);
    if (other !== undefined) throw onlyOneOf('<statement>', `--${other[0]}`);
    return { statementId: await fullId(millime, text, 'statement') };
  }
  if (account === undefined) {
    throw new AppError('bad_input', { field: '<statement>', expected: 'a statement, or --account <account>', got: '' });
  }
  return { account, from: dayOption('--from', from), through: dayOption('--through', through) };
}

interface Shown {
  readonly isPayout: boolean;
  readonly dryRun: boolean;
}

function print(io: CliIo, { credits, recognized, changed }: MarkedPayouts, { isPayout, dryRun }: Shown): void {
  const as = t(isPayout ? 'cli:marks.payouts' : 'cli:marks.noPayouts');
  io.line(t('cli:marks.recognized', { recognized, credits: t('cli:count.credit', { count: credits }) }));
  if (changed.length === 0) return io.line(t('cli:marks.unchanged', { as }));
  const rows = changed.map((line) => [line.lineId, ...lineRow({ ...line, amountMinor: line.amount, currency: 'TND' })]);
  const marked = t('cli:count.credit', { count: changed.length });
  printTable(io, ['line', ...LINE_COLUMNS], rows, marked);
  io.line(t(dryRun ? 'cli:marks.wouldMark' : 'cli:marks.marked', { credits: marked, as }));
}
