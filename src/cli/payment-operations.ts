import type { Command } from 'commander';
import type { ActOptions } from '../attempts';
import type { Millime } from '../compose';
import { formatDinars } from '../kernel';
import type { OperationOutcome } from '../payments';
import { amountOption } from './amount-option';
import { type CliIo, EXIT, type ExitCode, type RunCommand, whoActs } from './command';
import { operationJson, paymentJson, paymentLine } from './payment-output';
import { shownText } from './shown-text';

interface Options {
  amount?: string;
  dryRun?: true;
  json?: true;
}

/** Sends one order about a payment, whose tracking id it is given. */
type Send = (trackingId: string, options: ActOptions) => Promise<OperationOutcome>;

/** Capture, cancel and refund: each is sent once, and somebody has to be the one who wanted it. */
export function registerPaymentOperations(payments: Command, run: RunCommand): void {
  payments
    .command('capture <id>')
    .description('take the money of a pre-authorized payment')
    .option('--amount <millimes>', 'only a part; the rest is released. All of it when not given')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
    .action((id: string, options: Options) =>
      run((millime, io) => {
        const amount = options.amount === undefined ? undefined : amountOption('--amount', options.amount);
        return decide(millime, io, { id, options, send: (of, act) => millime.payments.capture(of, amount, act) });
      }),
    );

  payments
    .command('cancel <id>')
    .description('release the money that a pre-authorized payment holds')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
    .action((id: string, options: Options) =>
      run((millime, io) => decide(millime, io, { id, options, send: (of, act) => millime.payments.cancel(of, act) })),
    );

  payments
    .command('refund <id>')
    .description('give the whole payment back to the customer')
    .option('--dry-run', 'check, send and keep nothing')
    .option('--json', 'print JSON')
    .action((id: string, options: Options) =>
      run((millime, io) => decide(millime, io, { id, options, send: (of, act) => millime.payments.refund(of, act) })),
    );
}

async function decide(
  millime: Millime,
  io: CliIo,
  { id, options, send }: { readonly id: string; readonly options: Options; readonly send: Send },
): Promise<ExitCode> {
  const actor = await whoActs(millime, { decides: true });
  const { payment } = await millime.payments.show(id);
  const outcome = await send(payment.trackingId, { actor, dryRun: options.dryRun === true });
  if (options.json === true) io.json(outcomeJson(outcome));
  else print(outcome, io);
  return outcome.kind === 'done' || outcome.kind === 'checked' ? EXIT.done : EXIT.fault;
}

function outcomeJson({ kind, payment, operation, reason, isCheckedAgain }: OperationOutcome): unknown {
  return {
    kind,
    dryRun: kind === 'checked',
    operation: operation === undefined ? null : operationJson(operation),
    payment: paymentJson(payment),
    reason: reason ?? null,
    isLookedAtAgain: isCheckedAgain === true,
  };
}

const WORDS = {
  done: 'done',
  refused: 'refused, nothing was changed',
  unknown: 'nobody knows whether it was done: do not ask for it again, the gateway will be asked',
  checked: 'it can be asked for; nothing was sent or stored (dry run)',
} as const satisfies Record<OperationOutcome['kind'], string>;

function print({ kind, payment, operation, reason, isCheckedAgain }: OperationOutcome, io: CliIo): void {
  io.line(paymentLine(payment));
  const amount = operation?.amount === undefined ? '' : ` of ${formatDinars(operation.amount)}`;
  const what = operation === undefined ? '' : `${operation.kind}${amount}: `;
  const why = reason === undefined ? '' : `: ${shownText(reason)}`;
  if (isCheckedAgain === true) io.line(`${what}refused by the gateway${why}; the payment is looked at once more`);
  else io.line(`${what}${WORDS[kind]}${why}`);
}
