import type { Command } from 'commander';
import { addDays, type BusinessCalendar, parseBusinessDate, parseInstant } from '../kernel';
import { type Channel, CHANNELS } from '../ledger';
import type { ItemBound, ItemChoice, ItemSelection } from '../reconciliation';
import { dayOption, idListOption, onlyOneOf, wordListOption } from './option-values';

/** The options that choose a run of unpaid items. `reconcile items` lists what they choose. */
export interface SelectionOptions {
  channel?: string;
  agent?: string;
  day?: string;
  from?: string;
  through?: string;
}

/** Adds the options that choose unpaid items. */
export function withSelection(command: Command): Command {
  return command
    .option('--channel <channels>')
    .option('--agent <agent id>')
    .option('--day <date>')
    .option('--from <item|time|date>')
    .option('--through <item|time|date>');
}

/** Returns the chosen run; undefined without an option. @throws AppError `bad_input` that names the option. */
export function selectionOf(
  { channel, agent, day, from, through }: SelectionOptions,
  calendar: Pick<BusinessCalendar, 'startOf'>,
): ItemSelection | undefined {
  if (day !== undefined && (from !== undefined || through !== undefined)) {
    throw onlyOneOf('--day', '--from and --through');
  }
  const onDay = dayOption('--day', day);
  const selection: ItemSelection = {
    ...(channel === undefined ? {} : { channels: wordListOption<Channel>('--channel', channel, CHANNELS) }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(from === undefined ? {} : { from: boundOf(from, calendar, 'first') }),
    ...(through === undefined ? {} : { through: boundOf(through, calendar, 'last') }),
    ...(onDay === undefined
      ? {}
      : { from: boundOf(onDay, calendar, 'first'), through: boundOf(onDay, calendar, 'last') }),
  };
  return Object.keys(selection).length === 0 ? undefined : selection;
}

/** Returns the items that `--items` names, or the chosen run. @throws AppError `bad_input` for both. */
export function itemChoiceOf(
  options: SelectionOptions & { readonly items?: string },
  calendar: Pick<BusinessCalendar, 'startOf'>,
): ItemChoice | undefined {
  const selection = selectionOf(options, calendar);
  if (options.items === undefined) return selection;
  if (selection !== undefined) throw onlyOneOf('--items', '--channel, --agent, --day, --from and --through');
  return idListOption(options.items);
}

/** A day is its first or its last millisecond, so that both days of a range count. */
function boundOf(text: string, { startOf }: Pick<BusinessCalendar, 'startOf'>, end: 'first' | 'last'): ItemBound {
  const date = parseBusinessDate(text);
  if (date !== undefined) return { at: end === 'first' ? startOf(date) : startOf(addDays(date, 1)) - 1 };
  const instant = parseInstant(text);
  return instant === undefined ? { itemId: text } : { at: instant };
}
