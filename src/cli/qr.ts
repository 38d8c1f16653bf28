import type { Command } from 'commander';
import { formatDinars, shownText } from '../kernel';
import { qrPurchaseJson } from '../shapes/wallets';
import { type RegisterCommands, type RunCommand, type ShowOptions, whoActs, type WriteOptions } from './command';
import { printCreated } from './created-output';
import { dayWindow } from './day-window';
import { t } from './language';
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
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run((millime, io) => verifyNow(millime, io, { id, kind: 'qr', json: json === true })),
    );

  registerHistory(qr, run);
};

function registerCreate(qr: Command, run: RunCommand): void {
  qr.command('create')
    .requiredOption('--amount <millimes>')
    .option('--merchant <id>')
    .option('--barcode')
    .option('--reference <text>')
    .option('--agent <agent id>')
    .option('--dry-run')
    .option('--json')
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
    .requiredOption('--from <date>')
    .requiredOption('--to <date>')
    .option('--json')
    .action(({ from, to, json }: ShowOptions & { from: string; to: string }) =>
      run(async ({ paymentChannels, calendar }, io) => {
        const found = await paymentChannels.qrHistory(dayWindow({ from, to }, calendar));
        if (json === true) return io.json(found.map(qrPurchaseJson));
        const rows = found.map(({ transactionUniqueId, time, amountMillimes, channel }) =>
          [time, formatDinars(amountMillimes), channel ?? '', transactionUniqueId].map(shownText),
        );
        const columns = ['time at the gateway', { right: 'amount' }, 'channel', 'transaction id'];
        printTable(io, columns, rows, t('cli:count.purchase', { count: rows.length }));
      }),
    );
}
