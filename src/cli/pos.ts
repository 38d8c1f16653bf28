import { Option } from 'commander';
import type { StartPosRequest } from '../payment-channels';
import { type RegisterCommands, type ShowOptions, whoActs, type WriteOptions } from './command';
import { printCreated } from './created-output';
import { amountOption } from './option-values';
import { verifyNow } from './verify-command';

const METHODS = ['NFC', 'CARD', 'WALLET', 'CHECK'] as const satisfies readonly StartPosRequest['paymentMethod'][];

interface StartOptions extends WriteOptions {
  terminal: string;
  serial: string;
  amount: string;
  method: StartPosRequest['paymentMethod'];
  reference?: string;
  agent?: string;
}

export const registerPosCommands: RegisterCommands = (program, run) => {
  const pos = program.command('pos');

  pos
    .command('start')
    .description('start a payment on a terminal')
    .requiredOption('--terminal <id>', 'id of the terminal at the gateway')
    .requiredOption('--serial <number>', 'serial number of the terminal')
    .requiredOption('--amount <millimes>', 'amount that the customer pays')
    .addOption(new Option('--method <method>', 'payment method').choices(METHODS).makeOptionMandatory())
    .option('--reference <text>', 'your reference')
    .option('--agent <agent id>', 'agent whose due the payment lowers')
    .option('--dry-run', 'check only; nothing is sent or stored')
    .option('--json', 'JSON output')
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
        return printCreated(outcome, io, { json: options.json === true, calendar: millime.calendar });
      }),
    );

  pos
    .command('status <id>')
    .description('check the status of a terminal payment at the gateway now')
    .option('--json', 'JSON output')
    .action((id: string, { json }: ShowOptions) =>
      run((millime, io) => verifyNow(millime, io, { id, kind: 'pos', json: json === true })),
    );
};
