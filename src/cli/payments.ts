import type { Command } from 'commander';
import { assert, type BusinessCalendar, formatDinars, shownText } from '../kernel';
import type { PaymentDetails } from '../payments';
import { type PlacedPayment, placePayments } from '../reporting';
import { foundPaymentJson, placeJson } from '../shapes/found-payments';
import { operationJson } from '../shapes/payment-operations';
import { observationJson } from '../shapes/payment-progress';
import { paymentJson } from '../shapes/payments';
import type { CliIo, RegisterCommands, RunCommand, ShowOptions } from './command';
import { inEnglish, t, word } from './language';
import { registerCreatePayment } from './payment-create';
import { cursorText, registerPaymentList } from './payment-list';
import { moneyLines } from './payment-money';
import { registerPaymentOperations } from './payment-operations';
import { foundPaymentLine, paymentLine } from './payment-output';
import { printTimeline } from './payment-timeline';
import { paymentWords } from './payment-words';
import { type Column, printSection } from './print-table';
import { verifyNow } from './verify-command';

const OBSERVATION_COLUMNS: readonly Column[] = ['time', 'source', 'status', 'settlement', { right: 'amount' }];
const OPERATION_COLUMNS: readonly Column[] = [...['time', 'kind', 'state', { right: 'amount' }, 'by', 'error']];

export const registerPaymentCommands: RegisterCommands = (program, run) => {
  const payments = program.command('payments');
  registerCreatePayment(payments, run);
  registerVerify(payments, run);
  registerPaymentOperations(payments, run);
  registerPaymentList(payments, run);
  registerShow(payments, run);
};

function registerVerify(payments: Command, run: RunCommand): void {
  payments
    .command('verify <id>')
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run((millime, io) => verifyNow(millime, io, { id, json: json === true })),
    );
}

function registerShow(payments: Command, run: RunCommand): void {
  payments
    .command('show <id>')
    .option('--timeline')
    .option('--json')
    .action((text: string, { json, timeline }: ShowOptions & { readonly timeline?: boolean }) =>
      run(async (millime, io) => {
        if (timeline === true) return printTimeline(millime, io, { id: text, json: json === true });
        const { payments: room, calendar } = millime;
        const found = await millime.reporting.payment(text);
        const [placed] = await placePayments([found], (itemIds) => millime.reconciliation.dueItems(itemIds));
        assert(placed !== undefined, 'each payment is placed');
        const lines = (): string[] => moneyLines(placed, calendar);
        if (placed.source !== 'attempt') return printFound(io, placed, lines, json === true);
        const details = await room.show(placed.id);
        if (json !== true) return print(details, lines(), io, calendar);
        return io.json({
          ...paymentJson(details.payment),
          ...placeJson(placed),
          cursor: cursorText(placed),
          explanation: inEnglish(() => paymentWords(details, calendar)),
          terms: details.payment.terms,
          observations: details.observations.map(observationJson),
          operations: details.operations.map(operationJson),
        });
      }),
    );
}

/** Prints a confirm, a charge or a payment of a QR code. */
function printFound(io: CliIo, placed: PlacedPayment, lines: () => string[], json: boolean): void {
  if (json) {
    const none = { terms: null, observations: [], operations: [] };
    return io.json({
      ...foundPaymentJson(placed),
      ...placeJson(placed),
      cursor: cursorText(placed),
      explanation: inEnglish(lines).join(', '),
      ...none,
    });
  }
  io.line(foundPaymentLine(placed));
  for (const line of lines()) io.line(`  ${line}`);
}

function print(details: PaymentDetails, money: readonly string[], io: CliIo, calendar: BusinessCalendar): void {
  const { payment, observations, operations } = details;
  io.line(paymentLine(payment));
  io.line(`  ${paymentWords(details, calendar)}`);
  for (const line of money) io.line(`  ${line}`);
  if (payment.link !== undefined) io.line(`  ${shownText(payment.link)}`);
  if (payment.nextCheckAt !== undefined) {
    io.line(`  ${t('cli:payments.nextCheck', { time: calendar.formatLocal(payment.nextCheckAt) })}`);
  }
  if (payment.lastCheckError !== undefined) {
    const failed = t('cli:count.statusCheck', { count: payment.failedChecks });
    const reason = shownText(payment.lastCheckError);
    io.line(`  ${t('cli:payments.failedInARow', { checks: failed, reason })}`);
  }
  const seen = observations.map(({ observedAt, source, status, settlementStatus, amount }) => {
    const words = [
      word('observationSource', source),
      word('paymentStatus', status),
      settlementStatus === undefined ? '' : word('settlementStatus', settlementStatus),
    ];
    return [
      calendar.formatLocal(observedAt),
      ...words.map(shownText),
      amount === undefined ? '' : formatDinars(amount),
    ];
  });
  printSection(io, t('cli:payments.observations'), OBSERVATION_COLUMNS, seen);
  const done = operations.map(({ requestedAt, kind, state, amount, requestedBy, error }) => {
    const texts = [requestedBy, error].map((text) => shownText(text ?? ''));
    const words = [word('operationKind', kind), word('operationState', state)];
    return [calendar.formatLocal(requestedAt), ...words, amount === undefined ? '' : formatDinars(amount), ...texts];
  });
  printSection(io, t('cli:payments.operations'), OPERATION_COLUMNS, done);
}
