import { type Command, Option } from 'commander';
import { REQUEST_STATES } from '../attempts';
import type { Millime } from '../compose';
import { addDays, AppError, type BusinessCalendar, type Page, rowsOfPages } from '../kernel';
import { CHANNELS } from '../ledger';
import type { Payment } from '../payments';
import {
  MONEY_STATES,
  PAYMENT_SOURCES,
  type PaymentKey,
  paymentKey,
  type PaymentQuery,
  type PlacedPayment,
} from '../reporting';
import { listedPaymentJson } from '../shapes/found-payments';
import { type CliIo, type RunCommand, type ShowOptions, writeAside } from './command';
import { t } from './language';
import { amountOption, dayOption, limitOption, wordListOption } from './option-values';
import { foundPaymentRow, PAYMENT_COLUMNS, paymentRow } from './payment-output';
import { printTable } from './print-table';

interface ListOptions extends ShowOptions {
  state?: string;
  status?: string;
  channel?: string;
  reference?: string;
  agent?: string;
  from?: string;
  to?: string;
  amount?: string;
  after?: string;
  limit: number;
}

/** Adds the list of the payments of all channels. */
export function registerPaymentList(payments: Command, run: RunCommand): void {
  payments
    .command('list')
    .addOption(new Option('--state <state>').choices([...REQUEST_STATES, ...MONEY_STATES]))
    .option('--status <status>')
    .option('--channel <channel>', CHANNELS.join(', '))
    .option('--reference <text>')
    .option('--agent <agent id>')
    .option('--from <date>')
    .option('--to <date>')
    .option('--amount <millimes>')
    .option('--after <cursor>')
    .addOption(limitOption())
    .option('--json')
    .action((options: ListOptions) =>
      run(async (millime, io) => {
        const page = await readPage(millime, queryOf(options, millime.calendar));
        const attempts = await attemptsOf(millime, page.rows);
        if (options.json === true) {
          return io.json(
            page.rows.map((row) => ({ ...listedPaymentJson(row, attempts.get(row.id)), cursor: cursorText(row) })),
          );
        }
        print(io, page, attempts, millime.calendar);
      }),
    );
}

function queryOf(
  { state, status, channel, reference, agent, from, to, amount, after, limit }: ListOptions,
  { startOf }: Pick<BusinessCalendar, 'startOf'>,
): PaymentQuery {
  const first = dayOption('--from', from);
  const last = dayOption('--to', to);
  return {
    limit,
    state: MONEY_STATES.find((each) => each === state),
    requestState: REQUEST_STATES.find((each) => each === state),
    status,
    channel: channel === undefined ? undefined : wordListOption('--channel', channel, CHANNELS)[0],
    reference,
    agentId: agent,
    from: first === undefined ? undefined : startOf(first),
    until: last === undefined ? undefined : startOf(addDays(last, 1)),
    amount: amount === undefined ? undefined : amountOption('--amount', amount),
    after: after === undefined ? undefined : keyOfText(after),
  };
}

/** Returns the text that continues a list after a payment. */
export function cursorText(row: Pick<PlacedPayment, 'at' | 'source' | 'id'>): string {
  return paymentKey(row).join(':');
}

function keyOfText(text: string): PaymentKey {
  const [, at, word, id] = /^(\d{1,15}):([a-z_]+):(.+)$/.exec(text) ?? [];
  const source = PAYMENT_SOURCES.find((each) => each === word);
  if (at === undefined || source === undefined || id === undefined) {
    throw new AppError('bad_input', { field: 'after', expected: 'a cursor that this command printed', got: text });
  }
  return [Number(at), source, id];
}

/** Reads payments until the page is full or the list ends. */
async function readPage(
  { reporting, reconciliation }: Millime,
  { after, limit, ...filter }: PaymentQuery,
): Promise<Page<PlacedPayment, PaymentKey>> {
  let next: PaymentKey | undefined;
  const rows = await rowsOfPages<PlacedPayment, PaymentKey>(limit, async (key, most) => {
    const query = { ...filter, after: key ?? after, limit: most };
    const page = await reporting.payments(query, (itemIds) => reconciliation.dueItems(itemIds));
    next = page.next;
    return page;
  });
  return { rows, next };
}

/** Returns the attempts among the rows, by tracking id. */
async function attemptsOf(millime: Millime, rows: readonly PlacedPayment[]): Promise<Map<string, Payment>> {
  const trackingIds = rows.filter(({ source }) => source === 'attempt').map(({ id }) => id);
  if (trackingIds.length === 0) return new Map();
  const found = await millime.payments.list({ trackingIds, limit: trackingIds.length });
  return new Map(found.map((payment) => [payment.trackingId, payment]));
}

function print(
  io: CliIo,
  { rows, next }: Page<PlacedPayment, PaymentKey>,
  attempts: ReadonlyMap<string, Payment>,
  calendar: BusinessCalendar,
): void {
  const cells = rows.map((row) => {
    const attempt = attempts.get(row.id);
    return foundPaymentRow(row, attempt === undefined ? undefined : paymentRow(attempt), calendar);
  });
  printTable(io, PAYMENT_COLUMNS, cells, t('cli:count.payment', { count: rows.length }));
  if (next !== undefined && io.isTerminal === true) writeAside(t('cli:list.nextPage', { after: next.join(':') }));
}
