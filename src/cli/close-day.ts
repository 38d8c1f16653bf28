import type { Millime } from '../compose';
import { addDays, AppError, type BusinessDate, formatDinars, noticeLine, totalToJson } from '../kernel';
import type { CloseOutcome, ProofJson, ReopeningOutcome } from '../reconciliation';
import type { RecordedBalance } from '../reporting';
import { closedDayJson, ledgerDateOf, reopeningJson, sealJson } from '../shapes/days';
import { type CliIo, EXIT, type ExitCode, type RegisterCommands, whoActs, type WriteOptions } from './command';
import { everySeal } from './day-reopenings';
import { faultText } from './error-texts';
import { t, texts, word } from './language';
import { dayOption, onlyOneOf } from './option-values';
import { printTable } from './print-table';

type Balances = ReadonlyMap<string, RecordedBalance>;

interface Options extends WriteOptions {
  reason?: string;
  reopen?: true;
  approve?: true;
  list?: true;
  through?: string;
}

export const registerCloseDayCommand: RegisterCommands = (program, run) => {
  program
    .command('close-day [date]')
    .option('--reason <reason>')
    .option('--through <date>')
    .option('--reopen')
    .option('--approve')
    .option('--list')
    .option('--dry-run')
    .option('--json')
    .action((text: string | undefined, options: Options) =>
      run(async (millime, io) => {
        if (options.list === true) {
          if (text !== undefined) throw onlyOneOf('<date>', '--list');
          return list(millime, io, options);
        }
        const date = dayOption('<date>', text);
        if (date === undefined) {
          throw new AppError('bad_input', {
            field: '<date>',
            expected: 'the day to close or reopen as YYYY-MM-DD, or --list',
          });
        }
        if (options.reopen === true) return reopen(millime, io, date, options);
        if (options.approve === true) {
          throw new AppError('bad_input', { field: '--approve', fault: 'works only with --reopen' });
        }
        const last = dayOption('--through', options.through);
        return last === undefined
          ? close(millime, io, date, options)
          : closeThrough(millime, io, { first: date, last }, options);
      }),
    );
};

async function close(millime: Millime, io: CliIo, date: BusinessDate, options: Options): Promise<ExitCode> {
  const dryRun = options.dryRun === true;
  const actor = await whoActs(millime, { decides: !dryRun });
  const { reason } = options;
  const outcome = await millime.dayClosing.close({ date, actor, dryRun, ...(reason === undefined ? {} : { reason }) });
  const balances = await millime.reporting.recordedBalances(date);
  if (options.json === true) io.json(closingJson(outcome, balances));
  else printClosed(outcome, balances, io);
  return isObstructed(outcome) || hasUnexplained(outcome.proof) ? EXIT.breaks : EXIT.done;
}

/**
 * Closes the days of a range in their order, or states in a dry run what would be closed. The first day that cannot be
 * closed ends it; the days before stay closed.
 */
async function closeThrough(
  millime: Millime,
  io: CliIo,
  { first, last }: { readonly first: BusinessDate; readonly last: BusinessDate },
  options: Options,
): Promise<ExitCode> {
  if (last < first) throw new AppError('bad_input', { field: '--through', expected: `${first} or later`, got: last });
  const dryRun = options.dryRun === true;
  const actor = await whoActs(millime, { decides: !dryRun });
  const { reason } = options;
  const outcomes: CloseOutcome[] = [];
  try {
    for (let date = first; date <= last && !outcomes.some(isObstructed); date = addDays(date, 1)) {
      const outcome = await millime.dayClosing.close({
        ...{ date, actor, dryRun },
        ...(reason === undefined ? {} : { reason }),
        ...(dryRun && date > first ? { closedThrough: addDays(date, -1) } : {}),
      });
      outcomes.push(outcome);
      if (options.json !== true) printDay(outcome, io);
    }
  } finally {
    if (options.json === true) io.json(outcomes.map((each) => closingJson(each)));
  }
  return outcomes.some((each) => isObstructed(each) || hasUnexplained(each.proof)) ? EXIT.breaks : EXIT.done;
}

/** Prints one line for a day of a range; for a day that cannot be closed, its obstacles as well. */
function printDay(outcome: CloseOutcome, io: CliIo): void {
  const { kind, proof, obstacles } = outcome;
  if (kind !== 'dry_run') return io.line(closedText(outcome));
  for (const obstacle of obstacles) io.line(t('cli:closing.cannot', { obstacle: faultText(obstacle) }));
  io.line(`${wouldCloseText(outcome)}${unexplainedText(proof)}`);
}

/** Returns an outcome as JSON. The obstacles are the lines that the command prints; `obstacleDetails` are for programs. */
function closingJson(outcome: CloseOutcome, balances?: Balances): object {
  const { obstacles: obstacleDetails, ...json } = closedDayJson(outcome, balances);
  return { ...json, obstacles: outcome.obstacles.map(noticeLine), obstacleDetails };
}

function isObstructed({ obstacles }: CloseOutcome): boolean {
  return obstacles.length > 0;
}

async function reopen(millime: Millime, io: CliIo, date: BusinessDate, options: Options): Promise<void> {
  const { reason, approve } = options;
  const deciding = { date, actor: await whoActs(millime, { decides: true }), dryRun: options.dryRun === true };
  if (approve !== true && reason === undefined) {
    throw new AppError('bad_input', { field: '--reopen', expected: '--reason to propose, or --approve to approve' });
  }
  const outcome =
    approve === true
      ? await millime.dayClosing.approveReopening(deciding)
      : await millime.dayClosing.proposeReopening({ ...deciding, reason: reason ?? '' });
  if (options.json === true) io.json(reopeningJson(outcome));
  else io.line(reopeningText(outcome));
}

async function list(millime: Millime, io: CliIo, options: Options): Promise<void> {
  const chain = await everySeal(millime.dayClosing);
  if (options.json === true) return io.json(chain.map(sealJson));
  const rows = chain.map(({ number, date, kind, stands, recordedAt, recordedBy, digest, proposal }) => {
    const past = kind === 'closed' ? 'cli:closing.stateWasClosed' : 'cli:closing.stateReopened';
    const state = t(stands ? 'cli:closing.stateClosed' : past);
    const proposedBy = stands ? proposal?.proposedBy : undefined;
    return [String(number), date, state, millime.calendar.formatLocal(recordedAt), recordedBy, digest, proposedBy];
  });
  const columns = [{ right: 'seal' }, 'date', 'state', 'time', 'by', 'digest', 'reopening proposed by'];
  printTable(io, columns, rows, t('cli:count.seal', { count: rows.length }));
}

function printClosed(outcome: CloseOutcome, balances: Balances, io: CliIo): void {
  const { kind, date, proof, obstacles } = outcome;
  if (proof.channels.length > 0) {
    io.line(t('cli:closing.basis', { date }));
  }
  for (const channel of proof.channels) {
    io.line(word('channel', channel.channel));
    io.line(figure(t('cli:closing.opening'), channel.openingMillimes));
    for (const [name, amount] of Object.entries(channel.movements)) {
      if (amount !== 0) io.line(figure(texts().find('cli', `closing.movement.${name}`) ?? name, amount));
    }
    io.line(figure(t('cli:closing.closing'), channel.closingMillimes));
    for (const { label, amountMillimes, items, oldest, ageWorkingDays } of channel.lines) {
      const since =
        oldest === null
          ? ''
          : `  ${t('cli:closing.items', { items: t('cli:count.item', { count: items }), oldest, age: t('cli:count.workingDay', { count: ageWorkingDays ?? 0 }) })}`;
      io.line(`${figure(`  ${word('balanceLine', label).replaceAll('_', ' ')}`, amountMillimes)}${since}`);
    }
    printLedgerDate(balances.get(channel.channel), io);
  }
  const channels = new Set(proof.channels.map(({ channel }) => channel));
  for (const [channel, balance] of balances) {
    if (!channels.has(channel) && ledgerDateOf(balance) !== 0n) {
      io.line(word('channel', channel));
      printLedgerDate(balance, io);
    }
  }
  if (proof.channels.length === 0) io.line(t('cli:closing.noMovements'));
  if (proof.lateTransactions > 0) {
    io.line(t('cli:closing.late', { transactions: t('cli:count.lateTransaction', { count: proof.lateTransactions }) }));
  }
  for (const obstacle of obstacles) io.line(t('cli:closing.cannot', { obstacle: faultText(obstacle) }));
  const result = kind === 'dry_run' ? wouldCloseText(outcome) : closedText(outcome);
  io.line(result);
}

function wouldCloseText({ date, obstacles }: CloseOutcome): string {
  return t(obstacles.length > 0 ? 'cli:closing.wouldNot' : 'cli:closing.would', { date });
}

/** Prints what leads from the closing balance to that of the daily report, if they differ. */
function printLedgerDate(balance: RecordedBalance | undefined, io: CliIo): void {
  if (balance === undefined || (balance.recordedLater === 0n && balance.datedLater === 0n)) return;
  const { recordedLater, datedLater } = balance;
  if (recordedLater !== 0n) io.line(figure(t('cli:closing.recordedLater'), totalToJson(recordedLater)));
  if (datedLater !== 0n) io.line(figure(t('cli:closing.datedLater'), totalToJson(-datedLater)));
  io.line(figure(t('cli:closing.byLedgerDate'), totalToJson(ledgerDateOf(balance))));
}

function closedText({ kind, date, number, digest, proof }: CloseOutcome): string {
  const values = { date, number: number ?? 0, digest: digest ?? '' };
  return t(kind === 'closed' ? 'cli:closing.closed' : 'cli:closing.already', values) + unexplainedText(proof);
}

function unexplainedText(proof: ProofJson): string {
  return hasUnexplained(proof) ? `; ${t('cli:closing.unexplained')}` : '';
}

const NAME_WIDTH = 20;
const AMOUNT_WIDTH = 22;

function figure(name: string, amount: number | string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${formatDinars(BigInt(amount)).padStart(AMOUNT_WIDTH)}`;
}

function hasUnexplained({ channels }: ProofJson): boolean {
  return channels.some(({ lines }) => lines.some((line) => line.label === 'unexplained' && line.amountMillimes !== 0));
}

function reopeningText({ kind, date, number, proposedBy, approvedBy }: ReopeningOutcome): string {
  return kind === 'proposed'
    ? t('cli:closing.proposed', { date, by: proposedBy })
    : t('cli:closing.reopened', { date, by: proposedBy, approvedBy: approvedBy ?? '', number });
}
