import type { Command } from 'commander';
import { BREAK_CLASSES, BREAK_STATUSES, SEVERITIES, type BreakFilter } from '../breaks';
import { AppError } from '../kernel';
import { amountOption } from './amount-option';
import { dayOption } from './day-option';
import { onlyOneOf } from './only-one-of';

export interface FilterOptions {
  class?: string;
  status?: string;
  severity?: string;
  assignee?: string;
  unassigned?: true;
  minAmount?: string;
  since?: string;
  overdue?: true;
}

/** Adds the options that choose breaks. */
export function withFilter(command: Command): Command {
  return command
    .option('--class <classes>', 'only breaks of these classes, separated by commas')
    .option('--status <statuses>', 'only these states, separated by commas')
    .option('--severity <severities>', 'only high, medium or low, separated by commas')
    .option('--assignee <name>', 'only those that somebody has')
    .option('--unassigned', 'only those that nobody has')
    .option('--min-amount <millimes>', 'only from this amount on, whatever its sign')
    .option('--since <date>', 'only those that count from this day on')
    .option('--overdue', 'only those whose due date is over');
}

/** Undefined when no option chooses anything. @throws AppError `bad_input` that names the option. */
export function filterOf(options: FilterOptions): BreakFilter | undefined {
  const { assignee, unassigned, minAmount, overdue } = options;
  if (assignee !== undefined && unassigned === true) {
    throw onlyOneOf('--assignee', '--unassigned');
  }
  const since = dayOption('--since', options.since);
  const filter: BreakFilter = {
    ...(options.class === undefined ? {} : { classes: listOption('--class', options.class, BREAK_CLASSES) }),
    ...(options.status === undefined ? {} : { statuses: listOption('--status', options.status, BREAK_STATUSES) }),
    ...(options.severity === undefined ? {} : { severities: listOption('--severity', options.severity, SEVERITIES) }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(unassigned === true ? { assignee: null } : {}),
    ...(minAmount === undefined ? {} : { minAmount: amountOption('--min-amount', minAmount) }),
    ...(since === undefined ? {} : { since }),
    ...(overdue === true ? { overdueOnly: true } : {}),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

function listOption<T extends string>(name: string, text: string, known: readonly T[]): T[] {
  return text.split(',').map((word) => {
    const found = known.find((each) => each === word.trim());
    if (found === undefined) {
      throw new AppError('bad_input', { field: name, expected: `one of ${known.join(', ')}`, got: word.trim() });
    }
    return found;
  });
}
