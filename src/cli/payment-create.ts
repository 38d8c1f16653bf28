import { AppError } from '../kernel';
import type { PaymentRequest } from '../payments';
import type { Command } from 'commander';
import { amountOption } from './amount-option';
import { readInputFile, whoActs, type RunCommand } from './command';
import { countOption } from './count-option';
import { printCreated } from './created-output';
import { onlyOneOf } from './only-one-of';
import { printPlan } from './plan-output';
import { splitOption } from './split-option';

interface CreatePaymentOptions {
  amount?: string;
  reference?: string;
  agent?: string;
  binding?: true;
  clientId?: string;
  preauthorize?: true;
  split?: string[];
  acceptCard?: true;
  sessionTimeout?: string;
  successLink?: string;
  failLink?: string;
  imageUrl?: string;
  file?: string;
  dryRun?: true;
  json?: true;
}

export function registerCreatePayment(payments: Command, run: RunCommand): void {
  payments
    .command('create')
    .description('ask the gateway for a payment link, or put a file of payments in the queue')
    .option('--amount <millimes>', 'what the customer pays')
    .option('--reference <text>', 'what you call it; the same call again gives the link that can still be paid')
    .option('--agent <agent id>', 'whose due it lowers when it is paid')
    .option('--binding', "keep the customer's card; with --client-id")
    .option('--client-id <id>', 'what you call the customer')
    .option('--preauthorize', 'hold the amount, to be captured or cancelled')
    .option('--split <merchant=millimes...>', 'give parts to other merchants')
    .option('--accept-card', 'cards too, not wallets only')
    .option('--session-timeout <seconds>', 'how long the link can be paid')
    .option('--success-link <url>', 'where the customer goes after paying; CHECKOUT_SUCCESS_URL when not given')
    .option('--fail-link <url>', 'where the customer goes otherwise; CHECKOUT_FAIL_URL when not given')
    .option('--image-url <url>', 'a picture to show him')
    .option('--file <plan.csv>', 'payments to be sent by the queue, instead of one now')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
    .action((options: CreatePaymentOptions) =>
      run(async (millime, io) => {
        const { file, dryRun = false, json = false } = options;
        const request = file === undefined ? paymentRequest(options) : undefined;
        if (file !== undefined) refuseBesideFile(options);
        const actor = await whoActs(millime, { decides: false });
        if (request !== undefined)
          return printCreated(await millime.payments.create(request, { actor, dryRun }), io, { json });
        const planned = await millime.payments.importPlan(readInputFile(file ?? ''), { actor, dryRun });
        return printPlan(planned, io, { noun: 'payments', dryRun, json });
      }),
    );
}

/** Returns the payment that the options ask for. @throws AppError `bad_input` that names the option. */
export function paymentRequest(options: CreatePaymentOptions): PaymentRequest {
  const { amount, sessionTimeout, split, clientId } = options;
  if (amount === undefined) {
    throw new AppError('bad_input', { field: '--amount, --file', expected: 'one of these options' });
  }
  const kind = kindOf(options);
  return {
    kind,
    amountMillimes: amountOption('--amount', amount),
    reference: options.reference,
    agentId: options.agent,
    successLink: options.successLink,
    failLink: options.failLink,
    acceptCard: options.acceptCard,
    sessionTimeoutSecs: sessionTimeout === undefined ? undefined : countOption('--session-timeout', sessionTimeout),
    clientId,
    imageUrl: options.imageUrl,
    destination: split === undefined ? undefined : splitOption(split),
  };
}

function kindOf({ binding, preauthorize, split }: CreatePaymentOptions): PaymentRequest['kind'] {
  const chosen: PaymentRequest['kind'][] = [
    ...(binding === true ? (['binding'] as const) : []),
    ...(preauthorize === true ? (['preauthorization'] as const) : []),
    ...(split === undefined ? [] : (['split'] as const)),
  ];
  if (chosen.length > 1) throw onlyOneOf('--binding', '--preauthorize', '--split');
  return chosen[0] ?? 'standard';
}

/**
 * Refuses other options beside `--file`: the file holds the terms of all its payments, so they would be ignored.
 *
 * @throws AppError `bad_input`.
 */
export function refuseBesideFile(options: {
  readonly file?: string;
  readonly dryRun?: true;
  readonly json?: true;
}): void {
  const { file: _file, dryRun: _dryRun, json: _json, ...others } = options;
  if (Object.keys(others).length === 0) return;
  throw new AppError('bad_input', {
    field: '--file',
    fault: 'can be combined only with --dry-run and --json',
    fix: 'remove the other options',
  });
}
