import type { Command } from 'commander';
import { type BusinessCalendar, formatDinars, shownText } from '../kernel';
import type { UnpaidList } from '../reconciliation';
import { unpaidListJson } from '../shapes/unpaid-items';
import type { CliIo, RunCommand, ShowOptions } from './command';
import { fullId } from './full-id';
import { selectionOf, type SelectionOptions, withSelection } from './item-selection';
import { t, word } from './language';
import { limitOption } from './option-values';
import { type Column, printTable } from './print-table';

interface ItemsOptions extends ShowOptions, SelectionOptions {
  credit?: string;
  after?: string;
  limit: number;
}

/** Adds the list of unpaid items with running sums. The same options choose items for a match. */
export function registerUnpaidItems(reconcile: Command, run: RunCommand): void {
  withSelection(reconcile.command('items'))
    .option('--credit <credit>')
    .option('--after <item>')
    .addOption(limitOption())
    .option('--json')
    .action((_options: unknown, command: Command) =>
      run(async (millime, io) => {
        const options = command.optsWithGlobals<ItemsOptions>();
        const { limit } = options;
        const selection = selectionOf(options, millime.calendar) ?? {};
        const { credit, after } = options;
        const list = await millime.reconciliation.unpaidList({
          selection,
          creditId: credit === undefined ? undefined : await fullId(millime, credit, 'credit'),
          after,
          limit,
        });
        if (options.json === true) io.json(unpaidListJson(list));
        else printList(io, list, millime.calendar);
      }),
    );
}

const COLUMNS: readonly Column[] = [
  ...['item', 'available', 'channel', 'agent', { right: 'amount' }, { right: 'sum' }, { right: 'less fees' }, 'due'],
];

function printList(io: CliIo, list: UnpaidList, calendar: Pick<BusinessCalendar, 'formatLocal'>): void {
  const { rows, hasMore, count, sum, credit, nearest } = list;
  const columns = credit === undefined ? COLUMNS : [...COLUMNS, { right: 'left of credit' }];
  const cells = rows.map((item) => [
    shownText(item.itemId),
    calendar.formatLocal(item.availableAt),
    word('channel', item.channel),
    shownText(item.agentId ?? ''),
    formatDinars(item.amount),
    formatDinars(item.sum),
    formatDinars(item.net),
    `${item.dueOn ?? ''}${item.isLate ? ` (${t('cli:items.late')})` : ''}`,
    ...(credit === undefined ? [] : [formatDinars(BigInt(credit.amount) - item.net)]),
  ]);
  const summary = [
    `${t('cli:count.item', { count })}, ${formatDinars(sum)}`,
    ...(nearest === undefined
      ? []
      : [t('cli:items.nearest', { itemId: nearest.itemId, left: formatDinars(nearest.left) })]),
    ...(hasMore ? [t('cli:list.nextPage', { after: rows.at(-1)?.itemId ?? '' })] : []),
  ].join('; ');
  printTable(io, columns, cells, summary);
}
