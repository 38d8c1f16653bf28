import type { Command } from 'commander';
import { BREAK_CLASSES, BREAK_STATUSES, type BreakFilter, SEVERITIES } from '../breaks';
import { amountOption, dayOption, onlyOneOf, wordListOption } from './option-values';

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

/** Adds the options that select breaks. */
export function withFilter(command: Command): Command {
  return command
    .option('--class <classes>')
    .option('--status <statuses>')
    .option('--severity <severities>')
    .option('--assignee <name>')
    .option('--unassigned')
    .option('--min-amount <millimes>')
    .option('--since <date>')
    .option('--overdue');
}

/** Returns the filter, or undefined when no option is set. @throws AppError `bad_input` that names the option. */
export function filterOf(options: FilterOptions): BreakFilter | undefined {
  const { assignee, unassigned, minAmount, overdue } = options;
  if (assignee !== undefined && unassigned === true) {
    throw onlyOneOf('--assignee', '--unassigned');
  }
  const since = dayOption('--since', options.since);
  const filter: BreakFilter = {
    ...(options.class === undefined ? {} : { classes: wordListOption('--class', options.class, BREAK_CLASSES) }),
    ...(options.status === undefined ? {} : { statuses: wordListOption('--status', options.status, BREAK_STATUSES) }),
    ...(options.severity === undefined
      ? {}
      : { severities: wordListOption('--severity', options.severity, SEVERITIES) }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(unassigned === true ? { assignee: null } : {}),
    ...(minAmount === undefined ? {} : { minAmount: amountOption('--min-amount', minAmount) }),
    ...(since === undefined ? {} : { since }),
    ...(overdue === true ? { overdueOnly: true } : {}),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
