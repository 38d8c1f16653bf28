import type { Command } from 'commander';
import { formatDinars, shownText } from '../kernel';
import { accountDecidedJson, bankAccountJson } from '../shapes/bank-accounts';
import type { AccountDecided, ListedAccount } from '../statements';
import { type CliIo, type RunCommand, type ShowOptions, whoActs, type WriteOptions } from './command';
import { faultText } from './error-texts';
import { t } from './language';
import { type Column, printTable } from './print-table';

interface DecisionOptions extends WriteOptions {
  reason: string;
}

export function registerAccountCommands(statements: Command, run: RunCommand): void {
  const accounts = statements.command('accounts');

  accounts
    .command('list')
    .option('--json')
    .action(({ json }: ShowOptions) =>
      run(async (millime, io) => {
        const found = await millime.statements.accounts();
        if (json === true) return io.json(found.map(bankAccountJson));
        printTable(io, COLUMNS, found.map(accountRow), t('cli:count.account', { count: found.length }));
      }),
    );

  accounts
    .command('accept <account>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((name: string, { reason, json = false, dryRun = false }: DecisionOptions) =>
      run.onNewBooks(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        print(io, await millime.statements.acceptAccount({ name, reason, actor, dryRun }), { json, dryRun });
      }),
    );

  accounts
    .command('join <name>')
    .requiredOption('--into <account>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((name: string, { into, reason, json = false, dryRun = false }: DecisionOptions & { into: string }) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        print(io, await millime.statements.joinAccounts({ name, into, reason, actor, dryRun }), { json, dryRun });
      }),
    );
}

function print(
  io: CliIo,
  decided: AccountDecided,
  { json, dryRun }: { readonly json: boolean; readonly dryRun: boolean },
): void {
  if (json) return io.json(accountDecidedJson(decided, dryRun));
  const { kind, name, account, warnings, repeated } = decided;
  const names = { name: shownText(name), account: shownText(account) };
  if (kind === 'already') io.line(t('cli:accounts.already', names));
  else if (kind === 'joined') io.line(t(dryRun ? 'cli:accounts.wouldJoin' : 'cli:accounts.joined', names));
  else io.line(t(dryRun ? 'cli:accounts.wouldAccept' : 'cli:accounts.accepted', { account: names.account }));
  for (const text of warnings) io.line(faultText({ text }));
  if (repeated.lines === 0) return;
  const movements = t('cli:count.movement', { count: repeated.lines });
  const sums = { movements, credits: formatDinars(repeated.credits), debits: formatDinars(repeated.debits) };
  io.line(t(dryRun ? 'cli:accounts.wouldReverse' : 'cli:accounts.reversed', sums));
  if (!dryRun) io.line(t('cli:accounts.closeBreaks'));
}

const COLUMNS: readonly Column[] = ['account', 'other names', 'names to join', 'key'];

function accountRow({ account, joined, toJoin, keyFault, accepted }: ListedAccount): string[] {
  const notes = [
    ...(keyFault === undefined ? [] : [faultText({ text: keyFault })]),
    ...(accepted === undefined ? [] : [t('cli:accounts.acceptedBy', { by: accepted.by })]),
  ];
  return [shownText(account), joined.map(shownText).join(', '), toJoin.map(shownText).join(', '), notes.join('; ')];
}
