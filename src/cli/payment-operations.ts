import type { Command } from 'commander';
import type { ActOptions } from '../attempts';
import type { Millime } from '../compose';
import { formatDinars, shownText } from '../kernel';
import type { OperationOutcome } from '../payments';
import { operationOutcomeJson } from '../shapes/payment-operations';
import { type CliIo, EXIT, type ExitCode, type RunCommand, whoActs, type WriteOptions } from './command';
import { outcomeText } from './created-output';
import { fullId } from './full-id';
import { colon, t, word } from './language';
import { amountOption } from './option-values';
import { paymentLine } from './payment-output';

interface Options extends WriteOptions {
  amount?: string;
}

/** Sends one operation of the payment with this tracking id. */
type Send = (trackingId: string, options: ActOptions) => Promise<OperationOutcome>;

/** Registers capture, cancel and refund. Each is a decision of an actor and is sent once. */
export function registerPaymentOperations(payments: Command, run: RunCommand): void {
  const add = (command: Command, sendOf: (room: Millime['payments'], options: Options) => Send): void => {
    command
      .option('--dry-run')
      .option('--json')
      .action((id: string, options: Options) =>
        run((millime, io) => decide(millime, io, { id, options, send: sendOf(millime.payments, options) })),
      );
  };
  const capture = payments.command('capture <id>').option('--amount <millimes>');
  add(capture, (room, options) => {
    const amount = options.amount === undefined ? undefined : amountOption('--amount', options.amount);
    return (id, act) => room.capture(id, amount, act);
  });
  const cancel = payments.command('cancel <id>');
  add(cancel, (room) => (id, act) => room.cancel(id, act));
  const refund = payments.command('refund <id>');
  add(refund, (room) => (id, act) => room.refund(id, act));
}

async function decide(
  millime: Millime,
  io: CliIo,
  { id, options, send }: { readonly id: string; readonly options: Options; readonly send: Send },
): Promise<ExitCode> {
  const actor = await whoActs(millime, { decides: true });
  const { payment } = await millime.payments.show(await fullId(millime, id, 'payment'));
  const outcome = await send(payment.trackingId, { actor, dryRun: options.dryRun === true });
  if (options.json === true) io.json(operationOutcomeJson(outcome));
  else print(outcome, io);
  return outcome.kind === 'done' || outcome.kind === 'checked' ? EXIT.done : EXIT.fault;
}

function print({ kind, payment, operation, reason, isCheckedAgain }: OperationOutcome, io: CliIo): void {
  io.line(paymentLine(payment));
  const because = (text: string): string => colon(text, reason === undefined ? undefined : shownText(reason));
  const outcome =
    isCheckedAgain === true
      ? t('cli:operation.checkedAgain', { refused: because(t('cli:operation.refusedByGateway')) })
      : because(kind === 'unknown' ? outcomeText(kind) : t(`cli:operation.${kind}`));
  io.line(operation === undefined ? outcome : colon(operationText(operation), outcome));
}

function operationText({ kind, amount }: NonNullable<OperationOutcome['operation']>): string {
  const name = word('operationKind', kind);
  return amount === undefined ? name : t('cli:paymentState.operation', { name, amount: formatDinars(amount) });
}
