import type { Asked, OperationId } from '../../api';
import type { Texts } from '../../texts';
import { inWords } from './in-words';
import { type Problem, problemOf } from './problem';

/** A list by the filters of an address, or why a filter was refused. */
interface Filtered<List> {
  readonly list: List | undefined;
  readonly refused: Problem | undefined;
}

/** Reads a list by the filters of an address. The page of a refused filter still shows the filters, to correct them. */
export async function filtered<List>(texts: Texts, read: () => Promise<List>): Promise<Filtered<List>> {
  try {
    return { list: await read(), refused: undefined };
  } catch (error) {
    const refused = problemOf(error);
    if (refused?.code !== 'bad_input') throw error;
    return { list: undefined, refused: inWords(texts, refused) };
  }
}

type FiltersOf<Id extends OperationId> = NonNullable<Asked<Id>['query']>;

/** Returns the filters that the address of a list gives, trimmed. The schemas of the operation refuse unknown words. */
export function filtersOf<Id extends OperationId>(
  query: Readonly<Record<string, string>>,
  names: readonly (keyof FiltersOf<Id> & string)[],
): FiltersOf<Id> {
  const given = names.map((name) => [name, query[name]?.trim() ?? ''] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given) as FiltersOf<Id>;
}
