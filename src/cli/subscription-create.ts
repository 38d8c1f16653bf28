import { type Command, Option } from 'commander';
import { AppError } from '../kernel';
import type { SubscriptionRequest } from '../subscriptions';
import { readInputFile, type RunCommand, whoActs, type WriteOptions } from './command';
import { amountOption, countOption } from './option-values';
import { refuseBesideFile } from './payment-create';
import { printPlan } from './plan-output';
import { printSubscription } from './subscription-output';

const INTERVALS = ['day', 'week', 'month', 'year'] as const satisfies readonly SubscriptionRequest['interval'][];

interface CreateOptions extends WriteOptions {
  amount?: string;
  interval?: SubscriptionRequest['interval'];
  intervalCount?: string;
  name?: string;
  description?: string;
  reference?: string;
  agent?: string;
  clientId?: string;
  maxCycles?: string;
  acceptCard?: true;
  sessionTimeout?: string;
  successLink?: string;
  failLink?: string;
  file?: string;
}

export function registerCreateSubscription(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('create')
    .option('--amount <millimes>')
    .addOption(new Option('--interval <interval>').choices(INTERVALS))
    .option('--interval-count <count>')
    .option('--name <text>')
    .option('--description <text>')
    .option('--reference <text>')
    .option('--agent <agent id>')
    .option('--client-id <id>')
    .option('--max-cycles <count>')
    .option('--accept-card')
    .option('--session-timeout <seconds>')
    .option('--success-link <url>')
    .option('--fail-link <url>')
    .option('--file <plan.csv>')
    .option('--dry-run')
    .option('--json')
    .action((options: CreateOptions) =>
      run(async (millime, io) => {
        const { file, dryRun = false, json = false } = options;
        const request = file === undefined ? subscriptionRequest(options) : undefined;
        if (file !== undefined) refuseBesideFile(options);
        const actor = await whoActs(millime, { decides: false });
        if (request !== undefined) {
          return printSubscription(await millime.subscriptions.create(request, { actor, dryRun }), io, { json });
        }
        const planned = await millime.subscriptions.importPlan(readInputFile(file ?? ''), { actor, dryRun });
        return printPlan(planned, io, { noun: 'subscriptions', dryRun, json });
      }),
    );
}

function subscriptionRequest(options: CreateOptions): SubscriptionRequest {
  const { amount, interval, name } = options;
  if (amount === undefined || interval === undefined || name === undefined) {
    throw new AppError('bad_input', {
      field: '--amount, --interval, --name',
      expected: 'all three options, or --file',
    });
  }
  const count = (option: string, text: string | undefined): number | undefined =>
    text === undefined ? undefined : countOption(option, text);
  return {
    amountMillimes: amountOption('--amount', amount),
    interval,
    intervalCount: count('--interval-count', options.intervalCount),
    name,
    description: options.description,
    reference: options.reference,
    agentId: options.agent,
    clientId: options.clientId,
    maxCycles: count('--max-cycles', options.maxCycles),
    sessionTimeoutSecs: count('--session-timeout', options.sessionTimeout),
    acceptCard: options.acceptCard,
    successLink: options.successLink,
    failLink: options.failLink,
  };
}
