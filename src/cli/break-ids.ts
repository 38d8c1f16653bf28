import type { BreakWorkflow } from '../breaks';
import { AppError } from '../kernel';
import { filterOf, type FilterOptions } from './break-filter';
import { readFileOrStdin } from './read-file-or-stdin';

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * The breaks that a command is for: those that are named, those on standard input (`-`, one a line), or those that the
 * options choose.
 *
 * @throws AppError `bad_input` when nothing chooses any, or more than one way does.
 */
export async function chosenBreaks(
  workflow: BreakWorkflow,
  named: readonly string[],
  options: FilterOptions,
  input?: AsyncIterable<Buffer | string>,
): Promise<string[]> {
  const filter = filterOf(options);
  if (named.length > 0) {
    if (filter !== undefined) throw new AppError('bad_input', 'name breaks or choose them by options, not both');
    if (named.length === 1 && named[0] === '-') return idsIn((await readFileOrStdin('-', input)).toString('utf8'));
    return [...named];
  }
  if (filter === undefined) {
    throw new AppError('bad_input', 'name the breaks, give "-" to read them, or choose them by options');
  }
  return (await workflow.list(filter)).map(({ id }) => id);
}

/** The first word of each line, so that what `breaks list` prints can be given back. */
function idsIn(text: string): string[] {
  const faults: string[] = [];
  const ids: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [word = ''] = line.trim().split(/[\s,]+/);
    if (word === '') continue;
    if (ID.test(word)) ids.push(word);
    else faults.push(`line ${index + 1}: does not begin with the id of a break`);
  }
  if (faults.length > 0) throw new AppError('bad_input', 'standard input holds what is no break', { details: faults });
  return ids;
}
