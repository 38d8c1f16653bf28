import type { Command } from 'commander';
import { formatDinars, formatInstant } from '../kernel';
import { amountOption } from './amount-option';
import { type RegisterCommands, type RunCommand, whoActs, writeAside } from './command';
import { printCreated } from './created-output';
import { dayWindow } from './day-window';
import { shownText } from './shown-text';

interface AccountOptions {
  phone: string;
  trackingId: string;
  json?: true;
}

interface PayOptions extends AccountOptions {
  amount: string;
  product: string;
  reference?: string;
  dryRun?: true;
}

interface HistoryOptions extends AccountOptions {
  from?: string;
  to?: string;
}

const PHONE = ['--phone <number>', "the customer's, as he writes it"] as const;
const TRACKING_ID = ['--tracking-id <uuid>', 'what linking his account gave'] as const;

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
    .description('send a customer the code that links his wallet to us')
    .requiredOption(...PHONE)
    .option('--json', 'print JSON')
    .action(({ phone, json }: { phone: string; json?: true }) =>
      run(async ({ paymentChannels }, io) => {
        const { sessionId, name, phoneNumber, message } = await paymentChannels.walletLink(phone);
        if (json === true) return io.json({ sessionId, name, phoneNumber, message });
        io.line(`session ${shownText(sessionId)}  ${shownText(name)}`);
        if (message !== null) io.line(shownText(message));
      }),
    );
}

function registerSession(wallet: Command, run: RunCommand): void {
  wallet
    .command('session')
    .description("open a customer's session; its tokens are shown once and kept nowhere")
    .requiredOption(...PHONE)
    .requiredOption(...TRACKING_ID)
    .option('--json', 'print JSON')
    .action(({ phone, trackingId, json }: AccountOptions) =>
      run(async ({ paymentChannels }, io) => {
        const session = await paymentChannels.walletSession({ phoneNumber: phone, trackingId });
        const { token, expiresIn, refreshToken } = session;
        if (json === true) return io.json({ token, expiresInSecs: expiresIn, refreshToken });
        io.line(token);
        writeAside(`valid for ${expiresIn} s; its refresh token is shown with --json`);
      }),
    );
}

function registerBalance(wallet: Command, run: RunCommand): void {
  wallet
    .command('balance')
    .description("what is in a customer's wallet")
    .requiredOption(...PHONE)
    .requiredOption(...TRACKING_ID)
    .option('--json', 'print JSON')
    .action(({ phone, trackingId, json }: AccountOptions) =>
      run(async ({ paymentChannels }, io) => {
        const { walletId, balanceMillimes } = await paymentChannels.walletBalance({ phoneNumber: phone, trackingId });
        if (json === true) io.json({ walletId, balanceMillimes });
        else io.line(`wallet ${shownText(walletId)}: ${formatDinars(balanceMillimes)}`);
      }),
    );
}

function registerHistory(wallet: Command, run: RunCommand): void {
  wallet
    .command('history')
    .description("what a customer's wallet did; the gateway tells no amounts")
    .requiredOption(...PHONE)
    .requiredOption(...TRACKING_ID)
    .option('--from <date>', 'the first day')
    .option('--to <date>', 'the last day')
    .option('--json', 'print JSON')
    .action(({ phone, trackingId, from, to, json }: HistoryOptions) =>
      run(async ({ paymentChannels, calendar }, io) => {
        const account = { phoneNumber: phone, trackingId };
        const first = from === undefined ? undefined : dayWindow({ from, to: from }, calendar).from;
        const until = to === undefined ? undefined : dayWindow({ from: from ?? to, to }, calendar).until;
        const found = await paymentChannels.walletHistory({
          ...account,
          from: first === undefined ? undefined : formatInstant(first),
          to: until === undefined ? undefined : formatInstant(until),
        });
        const rows = found.map(({ operationId, sender, status, timeCreated, payload }) => {
          return { operationId, sender, status, timeCreated, payload };
        });
        if (json === true) return io.json(rows);
        for (const { operationId, sender, status, timeCreated } of rows) {
          io.line([timeCreated ?? 'no time', status, operationId, sender ?? ''].map(shownText).join('  '));
        }
        io.line(rows.length === 0 ? 'no operations' : `${rows.length} operations`);
      }),
    );
}

function registerPay(wallet: Command, run: RunCommand): void {
  wallet
    .command('pay')
    .description("take a payment out of a customer's wallet; sent once")
    .requiredOption(...PHONE)
    .requiredOption(...TRACKING_ID)
    .requiredOption('--amount <millimes>', 'what he pays')
    .requiredOption('--product <code>', 'what for, a code of the gateway')
    .option('--reference <text>', 'what you call it')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
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
        return printCreated(outcome, io, { json: options.json === true });
      }),
    );
}
