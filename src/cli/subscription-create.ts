import { Option, type Command } from 'commander';
import { AppError } from '../kernel';
import type { SubscriptionRequest } from '../subscriptions';
import { amountOption } from './amount-option';
import { readInputFile, whoActs, type RunCommand } from './command';
import { countOption } from './count-option';
import { refuseBesideFile } from './payment-create';
import { printPlan } from './plan-output';
import { printSubscription } from './subscription-output';

const INTERVALS = ['day', 'week', 'month', 'year'] as const satisfies readonly SubscriptionRequest['interval'][];

interface CreateOptions {
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
  dryRun?: true;
  json?: true;
}

export function registerCreateSubscription(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('create')
    .description('ask the gateway for a subscription, or put a file of them in the queue')
    .option('--amount <millimes>', 'of each charge')
    .addOption(new Option('--interval <interval>', 'how often').choices(INTERVALS))
    .option('--interval-count <count>', 'every so many intervals; 1 when not given')
    .option('--name <text>', 'what the customer reads')
    .option('--description <text>', 'what the customer reads besides')
    .option('--reference <text>', 'what you call it; the same call again gives the one that is there')
    .option('--agent <agent id>', 'whose due its charges lower')
    .option('--client-id <id>', 'what you call the customer')
    .option('--max-cycles <count>', 'it ends after so many charges')
    .option('--accept-card', 'the first charge by card too')
    .option('--session-timeout <seconds>', 'how long the first charge can be paid')
    .option('--success-link <url>', 'where the customer goes after paying; CHECKOUT_SUCCESS_URL when not given')
    .option('--fail-link <url>', 'where the customer goes otherwise; CHECKOUT_FAIL_URL when not given')
    .option('--file <plan.csv>', 'subscriptions to be sent by the queue, instead of one now')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
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
