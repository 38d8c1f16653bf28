import { type Command, Option } from 'commander';
import { REQUEST_STATES, type RequestState } from '../attempts';
import { type BusinessCalendar, counted, formatDinars } from '../kernel';
import type { PaymentDetails } from '../payments';
import type { CliIo, RegisterCommands, RunCommand, ShowOptions } from './command';
import { fullId } from './full-id';
import { countOption } from './option-values';
import { registerCreatePayment } from './payment-create';
import { registerPaymentOperations } from './payment-operations';
import {
  observationJson,
  operationJson,
  PAYMENT_COLUMNS,
  paymentJson,
  paymentLine,
  paymentRow,
} from './payment-output';
import { paymentWords } from './payment-words';
import { printTable } from './print-table';
import { shownText } from './shown-text';
import { verifyNow } from './verify-command';

const LIST_MAX = 10_000;
const SOURCE_WIDTH = 'wallet_history'.length;

interface ListOptions extends ShowOptions {
  state?: RequestState;
  status?: string;
  reference?: string;
  agent?: string;
  limit: string;
}

export const registerPaymentCommands: RegisterCommands = (program, run) => {
  const payments = program.command('payments');
  registerCreatePayment(payments, run);
  registerVerify(payments, run);
  registerPaymentOperations(payments, run);
  registerList(payments, run);
  registerShow(payments, run);
};

function registerVerify(payments: Command, run: RunCommand): void {
  payments
    .command('verify <id>')
    .description('check the status of a payment at the gateway now')
    .option('--json', 'JSON output')
    .action((id: string, { json }: ShowOptions) =>
      run((millime, io) => verifyNow(millime, io, { id, json: json === true })),
    );
}

function registerList(payments: Command, run: RunCommand): void {
  payments
    .command('list')
    .description('list payments, newest first')
    .addOption(new Option('--state <state>', 'state of the request; requested: in the queue').choices(REQUEST_STATES))
    .option('--status <status>', 'status of the gateway, such as SUCCESS or PS')
    .option('--reference <text>', 'only attempts of one reference')
    .option('--agent <agent id>', 'only payments that lower the due of one agent')
    .option('--limit <count>', `number of rows, at most ${LIST_MAX}`, '100')
    .option('--json', 'JSON output')
    .action(({ state, status, reference, agent, limit, json }: ListOptions) =>
      run(async (millime, io) => {
        const found = await millime.payments.list({
          requestStates: state === undefined ? undefined : [state],
          status,
          reference,
          agentId: agent,
          limit: countOption('--limit', limit, LIST_MAX),
        });
        if (json === true) return io.json(found.map(paymentJson));
        printTable(io, PAYMENT_COLUMNS, found.map(paymentRow), counted(found.length, 'payment'));
      }),
    );
}

function registerShow(payments: Command, run: RunCommand): void {
  payments
    .command('show <id>')
    .description('show a payment with its observations and operations')
    .option('--json', 'JSON output')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        const { payments: room, calendar } = millime;
        const details = await room.show(await fullId(millime, id, 'payment'));
        if (json !== true) return print(details, io, calendar);
        return io.json({
          ...paymentJson(details.payment),
          explanation: paymentWords(details, calendar),
          terms: details.payment.terms,
          observations: details.observations.map(observationJson),
          operations: details.operations.map(operationJson),
        });
      }),
    );
}

function print(details: PaymentDetails, io: CliIo, calendar: BusinessCalendar): void {
  const { payment, observations, operations } = details;
  io.line(paymentLine(payment));
  io.line(`  ${paymentWords(details, calendar)}`);
  if (payment.link !== undefined) io.line(`  ${shownText(payment.link)}`);
  if (payment.nextCheckAt !== undefined) io.line(`  next status check ${calendar.formatLocal(payment.nextCheckAt)}`);
  if (payment.lastCheckError !== undefined) {
    const failed = counted(payment.failedChecks, 'status check');
    io.line(`  ${failed} failed in a row: ${shownText(payment.lastCheckError)}`);
  }
  io.line('observations');
  for (const { observedAt, source, status, settlementStatus, amount } of observations) {
    const said = [status, settlementStatus, amount === undefined ? undefined : formatDinars(amount)];
    const words = said.filter((word) => word !== undefined).map(shownText);
    io.line(`  ${calendar.formatLocal(observedAt)}  ${source.padEnd(SOURCE_WIDTH)}  ${words.join('  ')}`);
  }
  io.line('operations');
  for (const { requestedAt, kind, state, amount, requestedBy, error } of operations) {
    const facts = [kind, state, amount === undefined ? undefined : formatDinars(amount), requestedBy, error];
    const words = facts.filter((fact) => fact !== undefined).map(shownText);
    io.line(`  ${calendar.formatLocal(requestedAt)}  ${words.join('  ')}`);
  }
}
