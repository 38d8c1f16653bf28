import type { Command } from 'commander';
import { formatDinars } from '../kernel';
import { amountOption } from './amount-option';
import { type RegisterCommands, type RunCommand, whoActs } from './command';
import { countOption } from './count-option';
import { printCreated } from './created-output';
import { dayWindow } from './day-window';
import { shownText } from './shown-text';
import { verifyNow } from './verify-command';

interface CreateOptions {
  amount: string;
  merchant?: string;
  barcode?: true;
  reference?: string;
  agent?: string;
  dryRun?: true;
  json?: true;
}

export const registerQrCommands: RegisterCommands = (program, run) => {
  const qr = program.command('qr');
  registerCreate(qr, run);

  qr.command('status <id>')
    .description('ask the gateway now who paid a code; exit code 1 when it may not be asked yet')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: true }) =>
      run((millime, io) => verifyNow(millime, io, { id, kind: 'qr', json: json === true })),
    );

  registerHistory(qr, run);
};

function registerCreate(qr: Command, run: RunCommand): void {
  qr.command('create')
    .description('make a code for one amount; more than one customer may pay it')
    .requiredOption('--amount <millimes>', 'what each customer pays')
    .option('--merchant <id>', 'whose code it is; GATEWAY_MERCHANT_ID when not given')
    .option('--barcode', 'a short text instead of a picture')
    .option('--reference <text>', 'what you call it')
    .option('--agent <agent id>', 'whose due its payments lower')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
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
        return printCreated(outcome, io, { json: options.json === true });
      }),
    );
}

function registerHistory(qr: Command, run: RunCommand): void {
  qr.command('history')
    .description("the merchant's purchases as the gateway lists them; changes nothing")
    .requiredOption('--from <date>', 'the first day')
    .requiredOption('--to <date>', 'the last day')
    .option('--json', 'print JSON')
    .action(({ from, to, json }: { from: string; to: string; json?: true }) =>
      run(async ({ paymentChannels, calendar }, io) => {
        const found = await paymentChannels.qrHistory(dayWindow({ from, to }, calendar));
        if (json === true) {
          return io.json(
            found.map(({ transactionUniqueId, time, amountMillimes, channel }) => ({
              transactionUniqueId,
              time,
              amountMillimes,
              channel,
            })),
          );
        }
        for (const { transactionUniqueId, time, amountMillimes, channel } of found) {
          const row = [time, formatDinars(amountMillimes).padStart(16), channel ?? '', transactionUniqueId];
          io.line(row.map(shownText).join('  '));
        }
        io.line(found.length === 0 ? 'no purchases' : `${found.length} purchases`);
      }),
    );
}
