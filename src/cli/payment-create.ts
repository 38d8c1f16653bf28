import type { Command } from 'commander';
import { AppError } from '../kernel';
import type { PaymentRequest } from '../payments';
import { readInputFile, type RunCommand, whoActs, type WriteOptions } from './command';
import { printCreated } from './created-output';
import { amountOption, countOption, onlyOneOf, splitOption } from './option-values';
import { printPlan } from './plan-output';

interface CreatePaymentOptions extends WriteOptions {
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
}

export function registerCreatePayment(payments: Command, run: RunCommand): void {
  payments
    .command('create')
    .option('--amount <millimes>')
    .option('--reference <text>')
    .option('--agent <agent id>')
    .option('--binding')
    .option('--client-id <id>')
    .option('--preauthorize')
    .option('--split <merchant=millimes...>')
    .option('--accept-card')
    .option('--session-timeout <seconds>')
    .option('--success-link <url>')
    .option('--fail-link <url>')
    .option('--image-url <url>')
    .option('--file <plan.csv>')
    .option('--dry-run')
    .option('--json')
    .action((options: CreatePaymentOptions) =>
      run(async (millime, io) => {
        const { file, dryRun = false, json = false } = options;
        const request = file === undefined ? paymentRequest(options) : undefined;
        if (file !== undefined) refuseBesideFile(options);
        const actor = await whoActs(millime, { decides: false });
        if (request !== undefined) {
          const outcome = await millime.payments.create(request, { actor, dryRun });
          return printCreated(outcome, io, { json, calendar: millime.calendar });
        }
        const planned = await millime.payments.importPlan(readInputFile(file ?? ''), { actor, dryRun });
        return printPlan(planned, io, { noun: 'payments', dryRun, json });
      }),
    );
}

/** Returns the request that the options describe. @throws AppError `bad_input` that names the option. */
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

function kindOf({ binding, preauthorize, split, clientId }: CreatePaymentOptions): PaymentRequest['kind'] {
  const chosen: PaymentRequest['kind'][] = [
    ...(binding === true ? (['binding'] as const) : []),
    ...(preauthorize === true ? (['preauthorization'] as const) : []),
    ...(split === undefined ? [] : (['split'] as const)),
  ];
  if (chosen.length > 1) throw onlyOneOf('--binding', '--preauthorize', '--split');
  if (binding === true && clientId === undefined) {
    throw new AppError('bad_input', { field: '--binding', fault: 'needs the customer', fix: 'add --client-id <id>' });
  }
  return chosen[0] ?? 'standard';
}

/**
 * Refuses other options beside `--file`, because the file contains the terms of all its payments.
 * @throws AppError `bad_input`.
 */
export function refuseBesideFile(options: WriteOptions & { readonly file?: string }): void {
  const { file: _file, dryRun: _dryRun, json: _json, ...others } = options;
  if (Object.keys(others).length === 0) return;
  throw new AppError('bad_input', {
    field: '--file',
    fault: 'can be combined only with --dry-run and --json',
    fix: 'remove the other options',
  });
}
