import type { Command } from 'commander';
import { formatDinars, shownText } from '../kernel';
import { walletBalanceJson, walletLinkJson, walletOperationJson } from '../shapes/wallets';
import {
  type RegisterCommands,
  type RunCommand,
  type ShowOptions,
  whoActs,
  writeAside,
  type WriteOptions,
} from './command';
import { printCreated } from './created-output';
import { dayWindow } from './day-window';
import { t } from './language';
import { amountOption } from './option-values';
import { printTable } from './print-table';

interface AccountOptions extends ShowOptions {
  phone: string;
  trackingId: string;
}

interface PayOptions extends AccountOptions, WriteOptions {
  amount: string;
  product: string;
  reference?: string;
}

interface HistoryOptions extends AccountOptions {
  from?: string;
  to?: string;
}

const PHONE = '--phone <number>';
const TRACKING_ID = '--tracking-id <uuid>';

export const registerWalletCommands: RegisterCommands = (program, run) => {
  const wallet = program.command('wallet');
  registerLink(wallet, run);
  registerSession(wallet, run);
  registerBalance(wallet, run);
  registerHistory(wallet, run);
  registerPay(wallet, run);
};

function registerLink(wallet: Command, run: RunCommand): void {
  wallet
    .command('link')
    .requiredOption(PHONE)
    .option('--json')
    .action(({ phone, json }: ShowOptions & { phone: string }) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: false });
        const link = await millime.paymentChannels.walletLink(phone, actor);
        if (json === true) return io.json(walletLinkJson(link));
        const { sessionId, name, message } = link;
        io.line(t('cli:wallet.session', { id: shownText(sessionId), name: shownText(name) }));
        if (message !== null) io.line(shownText(message));
      }),
    );
}

function registerSession(wallet: Command, run: RunCommand): void {
  wallet
    .command('session')
    .requiredOption(PHONE)
    .requiredOption(TRACKING_ID)
    .option('--json')
    .action(({ phone, trackingId, json }: AccountOptions) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: false });
        const session = await millime.paymentChannels.walletSession({ phoneNumber: phone, trackingId }, actor);
        const { token, expiresIn, refreshToken } = session;
        if (json === true) return io.json({ token, expiresInSecs: expiresIn, refreshToken });
        io.line(token);
        writeAside(t('cli:wallet.validFor', { seconds: expiresIn }));
      }),
    );
}

function registerBalance(wallet: Command, run: RunCommand): void {
  wallet
    .command('balance')
    .requiredOption(PHONE)
    .requiredOption(TRACKING_ID)
    .option('--json')
    .action(({ phone, trackingId, json }: AccountOptions) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: false });
        const balance = await millime.paymentChannels.walletBalance({ phoneNumber: phone, trackingId }, actor);
        if (json === true) return io.json(walletBalanceJson(balance));
        const { walletId, balanceMillimes } = balance;
        io.line(t('cli:wallet.balance', { id: shownText(walletId), balance: formatDinars(balanceMillimes) }));
      }),
    );
}

function registerHistory(wallet: Command, run: RunCommand): void {
  wallet
    .command('history')
    .requiredOption(PHONE)
    .requiredOption(TRACKING_ID)
    .option('--from <date>')
    .option('--to <date>')
    .option('--json')
    .action(({ phone, trackingId, from, to, json }: HistoryOptions) =>
      run(async (millime, io) => {
        const { paymentChannels, calendar } = millime;
        const account = { phoneNumber: phone, trackingId };
        const first = from === undefined ? undefined : dayWindow({ from, to: from }, calendar).from;
        const until = to === undefined ? undefined : dayWindow({ from: from ?? to, to }, calendar).until;
        const actor = await whoActs(millime, { decides: false });
        const found = await paymentChannels.walletHistory({ ...account, from: first, until }, actor);
        const rows = found.map(walletOperationJson);
        if (json === true) return io.json(rows);
        const cells = rows.map(({ operationId, sender, status, timeCreated }) =>
          [timeCreated ?? '', status, operationId, sender ?? ''].map(shownText),
        );
        const columns = ['time at the gateway', 'status', 'operation id', 'sender'];
        printTable(io, columns, cells, t('cli:count.operation', { count: cells.length }));
      }),
    );
}

function registerPay(wallet: Command, run: RunCommand): void {
  wallet
    .command('pay')
    .requiredOption(PHONE)
    .requiredOption(TRACKING_ID)
    .requiredOption('--amount <millimes>')
    .requiredOption('--product <code>')
    .option('--reference <text>')
    .option('--dry-run')
    .option('--json')
    .action((options: PayOptions) =>
      run(async (millime, io) => {
        const request = {
          phoneNumber: options.phone,
          trackingId: options.trackingId,
          amountMillimes: amountOption('--amount', options.amount),
          product: options.product,
          reference: options.reference,
        };
        const actor = await whoActs(millime, { decides: true });
        const outcome = await millime.paymentChannels.payFromWallet(request, {
          actor,
          dryRun: options.dryRun === true,
        });
        return printCreated(outcome, io, { json: options.json === true, calendar: millime.calendar });
      }),
    );
}
