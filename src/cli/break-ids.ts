import type { BreakFilter, BreakKey, BreakView, BreakWorkflow } from '../breaks';
import { AppError, quoted, ROWS_EXAMINED_MAX, rowsOfPages } from '../kernel';
import { filterOf, type FilterOptions } from './break-filter';
import { FULL_ID } from './full-id';
import { t } from './language';
import { readFileOrStdin } from './read-file-or-stdin';

/**
 * Returns the ids of the breaks on which a command acts: the named ones, those on standard input (`-`, one per line),
 * or those that the options select.
 * @throws AppError `bad_input` unless exactly one of these sources is given.
 */
export async function chosenBreaks(
  workflow: BreakWorkflow,
  named: readonly string[],
  options: FilterOptions,
  input?: AsyncIterable<Buffer | string>,
): Promise<string[]> {
  const filter = filterOf(options);
  if (named.length > 0) {
    if (filter !== undefined) {
      throw new AppError('bad_input', { field: '<ids>', expected: 'either break ids or options that choose breaks' });
    }
    if (named.length === 1 && named[0] === '-') return idsIn((await readFileOrStdin('-', input)).toString('utf8'));
    return [...named];
  }
  if (filter === undefined) {
    throw new AppError('bad_input', {
      field: '<ids>',
      expected: 'break ids, "-" to read them from standard input, or options that choose breaks',
    });
  }
  return (await everyBreak(workflow, filter)).map(({ id }) => id);
}

/** Returns all breaks that a filter selects, oldest first. */
export function everyBreak(workflow: Pick<BreakWorkflow, 'list'>, filter: BreakFilter): Promise<BreakView[]> {
  return rowsOfPages<BreakView, BreakKey>(Infinity, (after) =>
    workflow.list({ ...filter, after, limit: ROWS_EXAMINED_MAX }),
  );
}

/** Returns the first word of each line, so that a user can pipe in the output of `breaks list`. */
function idsIn(text: string): string[] {
  const faults: string[] = [];
  const ids: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [word = ''] = line.trim().split(/[\s,]+/);
    if (word === '') continue;
    if (FULL_ID.test(word)) ids.push(word);
    else faults.push(`line ${index + 1}: expected a break id first, got ${quoted(word)}`);
  }
  if (faults.length > 0) {
    const problem = {
      field: t('cli:error.standardInput'),
      expected: 'one break id per line',
      fix: 'nothing was changed',
    };
    throw new AppError('bad_input', problem, { details: faults });
  }
  return ids;
}
