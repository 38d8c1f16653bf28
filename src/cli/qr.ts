import type { Command } from 'commander';
import { counted, formatDinars, shownText } from '../kernel';
import { qrPurchaseJson } from '../shapes/wallets';
import { type RegisterCommands, type RunCommand, type ShowOptions, whoActs, type WriteOptions } from './command';
import { printCreated } from './created-output';
import { dayWindow } from './day-window';
import { amountOption, countOption } from './option-values';
import { printTable } from './print-table';
import { verifyNow } from './verify-command';

interface CreateOptions extends WriteOptions {
  amount: string;
  merchant?: string;
  barcode?: true;
  reference?: string;
  agent?: string;
}

export const registerQrCommands: RegisterCommands = (program, run) => {
  const qr = program.command('qr');
  registerCreate(qr, run);

  qr.command('status <id>')
    .description('check the payments of a QR code at the gateway now')
    .option('--json', 'JSON output')
    .action((id: string, { json }: ShowOptions) =>
      run((millime, io) => verifyNow(millime, io, { id, kind: 'qr', json: json === true })),
    );

  registerHistory(qr, run);
};

function registerCreate(qr: Command, run: RunCommand): void {
  qr.command('create')
    .description('create a QR code for one amount; several customers may pay it')
    .requiredOption('--amount <millimes>', 'amount that each customer pays')
    .option('--merchant <id>', 'merchant (default: GATEWAY_MERCHANT_ID)')
    .option('--barcode', 'short text instead of an image')
    .option('--reference <text>', 'your reference')
    .option('--agent <agent id>', 'agent whose due the payments lower')
    .option('--dry-run', 'check only; nothing is sent or stored')
    .option('--json', 'JSON output')
    .action((options: CreateOptions) =>
      run(async (millime, io) => {
        const request = {
          amountMillimes: amountOption('--amount', options.amount),
          merchantId: options.merchant === undefined ? undefined : countOption('--merchant', options.merchant),
          barcode: options.barcode,
          reference: options.reference,
          agentId: options.agent,
        };
        const actor = await whoActs(millime, { decides: false });
        const outcome = await millime.paymentChannels.createQr(request, { actor, dryRun: options.dryRun === true });
        return printCreated(outcome, io, { json: options.json === true, calendar: millime.calendar });
      }),
    );
}

function registerHistory(qr: Command, run: RunCommand): void {
  qr.command('history')
    .description("list the merchant's purchases at the gateway")
    .requiredOption('--from <date>', 'first day')
    .requiredOption('--to <date>', 'last day')
    .option('--json', 'JSON output')
    .action(({ from, to, json }: ShowOptions & { from: string; to: string }) =>
      run(async ({ paymentChannels, calendar }, io) => {
        const found = await paymentChannels.qrHistory(dayWindow({ from, to }, calendar));
        if (json === true) return io.json(found.map(qrPurchaseJson));
        const rows = found.map(({ transactionUniqueId, time, amountMillimes, channel }) =>
          [time, formatDinars(amountMillimes), channel ?? '', transactionUniqueId].map(shownText),
        );
        const columns = ['time at the gateway', { right: 'amount' }, 'channel', 'transaction id'];
        printTable(io, columns, rows, counted(rows.length, 'purchase'));
      }),
    );
}
