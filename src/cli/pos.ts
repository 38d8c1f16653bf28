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
    .requiredOption('--terminal <id>')
    .requiredOption('--serial <number>')
    .requiredOption('--amount <millimes>')
    .addOption(new Option('--method <method>').choices(METHODS).makeOptionMandatory())
    .option('--reference <text>')
    .option('--agent <agent id>')
    .option('--dry-run')
    .option('--json')
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
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run((millime, io) => verifyNow(millime, io, { id, kind: 'pos', json: json === true })),
    );
};
