import type { Command } from 'commander';
import {
  AppError,
  type BusinessCalendar,
  counted,
  formatDinars,
  formatInstant,
  shownText,
  totalToJson,
} from '../kernel';
import type { UnpaidItem } from '../reconciliation';
import type { CliIo, RunCommand, ShowOptions } from './command';
import { fullId } from './full-id';
import { selectionOf, type SelectionOptions, withSelection } from './item-selection';
import { limitOption } from './option-values';
import { type Column, printTable } from './print-table';

interface ItemsOptions extends ShowOptions, SelectionOptions {
  credit?: string;
  after?: string;
  limit: number;
}

/** An unpaid item with the sums of the list up to it. In millimes. */
interface SummedItem extends UnpaidItem {
  readonly sum: bigint;
  /** The sum less the fees of the schedule in force. */
  readonly net: bigint;
}

/** Adds the list of unpaid items with running sums. The same options choose items for a match. */
export function registerUnpaidItems(reconcile: Command, run: RunCommand): void {
  withSelection(reconcile.command('items').description('list unpaid items with running sums, oldest first'))
    .option('--credit <credit>', 'credit to compare the sums with')
    .option('--after <item>', 'last item of the page before')
    .addOption(limitOption())
    .option('--json', 'JSON output')
    .action((_options: unknown, command: Command) =>
      run(async (millime, io) => {
        const options = command.optsWithGlobals<ItemsOptions>();
        const { limit } = options;
        const selection = selectionOf(options, millime.calendar) ?? {};
        const items = withSums(await millime.reconciliation.unpaidItems(selection));
        const credit =
          options.credit === undefined
            ? undefined
            : await millime.reconciliation.credit(await fullId(millime, options.credit, 'credit'));
        const first = options.after === undefined ? 0 : placeAfter(items, options.after);
        const page = { items, rows: items.slice(first, first + limit), hasMore: first + limit < items.length };
        const list = { ...page, credit, nearest: credit === undefined ? undefined : nearestTo(items, credit.amount) };
        if (options.json === true) io.json(listJson(list));
        else printList(io, list, millime.calendar);
      }),
    );
}

interface ItemList {
  readonly items: readonly SummedItem[];
  readonly rows: readonly SummedItem[];
  readonly hasMore: boolean;
  readonly credit: { readonly lineId: string; readonly amount: number } | undefined;
  /** The first item up to which the sum or the net sum is nearest to the credit. */
  readonly nearest: { readonly itemId: string; readonly left: bigint } | undefined;
}

function withSums(items: readonly UnpaidItem[]): SummedItem[] {
  let sum = 0n;
  let net = 0n;
  return items.map((item) => {
    sum += BigInt(item.amount);
    net += BigInt(item.amount - item.fee - item.tva);
    return { ...item, sum, net };
  });
}

function placeAfter(items: readonly SummedItem[], itemId: string): number {
  const place = items.findIndex((item) => item.itemId === itemId);
  if (place < 0) {
    throw new AppError('bad_input', { field: '--after', expected: 'an item of this list', got: itemId });
  }
  return place + 1;
}

function nearestTo(items: readonly SummedItem[], amount: number): ItemList['nearest'] {
  let best: ItemList['nearest'];
  for (const { itemId, sum, net } of items) {
    for (const total of [net, sum]) {
      const left = BigInt(amount) - total;
      if (best === undefined || size(left) < size(best.left)) best = { itemId, left };
    }
  }
  return best;
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function listJson({ items, rows, hasMore, credit, nearest }: ItemList): Readonly<Record<string, unknown>> {
  const last = items.at(-1);
  return {
    items: rows.map((item) => ({
      itemId: item.itemId,
      channel: item.channel,
      agentId: item.agentId ?? null,
      amountMillimes: item.amount,
      feeMillimes: item.fee,
      tvaMillimes: item.tva,
      succeededAt: formatInstant(item.succeededAt),
      availableUntil: formatInstant(item.availableAt),
      latestOn: item.dueOn ?? null,
      late: item.isLate,
      sumMillimes: totalToJson(item.sum),
      netMillimes: totalToJson(item.net),
      ...(credit === undefined ? {} : { leftMillimes: totalToJson(BigInt(credit.amount) - item.net) }),
    })),
    count: items.length,
    sumMillimes: totalToJson(last?.sum ?? 0n),
    netMillimes: totalToJson(last?.net ?? 0n),
    creditMillimes: credit?.amount ?? null,
    nearest: nearest === undefined ? null : { itemId: nearest.itemId, leftMillimes: totalToJson(nearest.left) },
    hasMore,
    nextAfter: hasMore ? (rows.at(-1)?.itemId ?? null) : null,
  };
}

const COLUMNS: readonly Column[] = [
  ...['item', 'available', 'channel', 'agent', { right: 'amount' }, { right: 'sum' }, { right: 'less fees' }, 'due'],
];

function printList(io: CliIo, list: ItemList, calendar: Pick<BusinessCalendar, 'formatLocal'>): void {
  const { items, rows, hasMore, credit, nearest } = list;
  const columns = credit === undefined ? COLUMNS : [...COLUMNS, { right: 'left of credit' }];
  const cells = rows.map((item) => [
    shownText(item.itemId),
    calendar.formatLocal(item.availableAt),
    item.channel,
    shownText(item.agentId ?? ''),
    formatDinars(item.amount),
    formatDinars(item.sum),
    formatDinars(item.net),
    `${item.dueOn ?? ''}${item.isLate ? ' (late)' : ''}`,
    ...(credit === undefined ? [] : [formatDinars(BigInt(credit.amount) - item.net)]),
  ]);
  const total = items.at(-1);
  const summary = [
    `${counted(items.length, 'item')}, ${formatDinars(total?.sum ?? 0n)}`,
    ...(nearest === undefined
      ? []
      : [`nearest to the credit: --through ${nearest.itemId}, ${formatDinars(nearest.left)} left`]),
    ...(hasMore ? [`next page: --after ${rows.at(-1)?.itemId ?? ''}`] : []),
  ].join('; ');
  printTable(io, columns, cells, summary);
}
