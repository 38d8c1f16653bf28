import { Option } from 'commander';
import type { StartPosRequest } from '../payment-channels';
import { amountOption } from './amount-option';
import { type RegisterCommands, whoActs } from './command';
import { printCreated } from './created-output';
import { verifyNow } from './verify-command';

const METHODS = ['NFC', 'CARD', 'WALLET', 'CHECK'] as const satisfies readonly StartPosRequest['paymentMethod'][];

interface StartOptions {
  terminal: string;
  serial: string;
  amount: string;
  method: StartPosRequest['paymentMethod'];
  reference?: string;
  agent?: string;
  dryRun?: true;
  json?: true;
}

export const registerPosCommands: RegisterCommands = (program, run) => {
  const pos = program.command('pos');

  pos
    .command('start')
    .description('ask a terminal to take a payment')
    .requiredOption('--terminal <id>', 'the terminal, as the gateway names it')
    .requiredOption('--serial <number>', 'its serial number')
    .requiredOption('--amount <millimes>', 'what the customer pays')
    .addOption(new Option('--method <method>', 'how he pays').choices(METHODS).makeOptionMandatory())
    .option('--reference <text>', 'what you call it')
    .option('--agent <agent id>', 'whose due it lowers when it is paid')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
    .action((options: StartOptions) =>
      run(async (millime, io) => {
        const request: StartPosRequest = {
          idTerminal: options.terminal,
          serialNumber: options.serial,
          amountMillimes: amountOption('--amount', options.amount),
          paymentMethod: options.method,
          reference: options.reference,
          agentId: options.agent,
        };
        const actor = await whoActs(millime, { decides: false });
        const outcome = await millime.paymentChannels.startPos(request, { actor, dryRun: options.dryRun === true });
        return printCreated(outcome, io, { json: options.json === true });
      }),
    );

  pos
    .command('status <id>')
    .description('ask the gateway about a terminal payment now; exit code 1 when it may not be asked yet')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: true }) =>
      run((millime, io) => verifyNow(millime, io, { id, kind: 'pos', json: json === true })),
    );
};
