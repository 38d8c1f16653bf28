import type { Json } from '../../../api';
import { BREAK_CLASSES, BREAK_STATUSES, SEVERITIES } from '../../../breaks';
import type { Visit } from '../../page/page';
import { dinarsOf } from '../../page/typed-amount';

export type Break = Json<'listBreaks'>['data'][number];

/** A step applies to at most this number of breaks. */
export const AT_ONCE_MAX = 500;
const ROWS_PER_CALL = '200';

const FIELDS = ['class', 'status', 'severity', 'who', 'overdue', 'min', 'sort'] as const;

/** Whose breaks: those of the person who asks, or those of no one. */
export const WHO = ['me', 'none'] as const;

/** Returns the filter of the page for the API. */
export function breakFilter({ query, session }: Visit) {
  const { min = '', who } = query;
  return {
    class: oneOf(BREAK_CLASSES, query['class']),
    status: oneOf(BREAK_STATUSES, query['status']),
    severity: oneOf(SEVERITIES, query['severity']),
    assignee: who === 'me' ? session.user.name : undefined,
    unassigned: who === 'none' ? 'true' : undefined,
    overdue: query['overdue'] === 'true' ? 'true' : undefined,
    minAmountMillimes: min === '' ? undefined : dinarsOf(min)?.toString(),
    sort: query['sort'] === '-since' ? ('-since' as const) : undefined,
  };
}

export function isFiltered({ query }: Visit): boolean {
  return FIELDS.some((name) => name !== 'sort' && (query[name] ?? '') !== '');
}

/** Returns the fields of the filter as the address has them. */
export function filterFields({ query }: Visit): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(FIELDS.map((name) => [name, query[name]]));
}

/** Reads all breaks that fit the filter, up to the limit of one step. */
export async function breaksOfFilter(visit: Visit): Promise<readonly Break[]> {
  const found: Break[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...breakFilter(visit), limit: ROWS_PER_CALL, cursor };
    const page: Json<'listBreaks'> = await visit.call('listBreaks', { query });
    found.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && found.length < AT_ONCE_MAX);
  return found.slice(0, AT_ONCE_MAX);
}

function oneOf<Word extends string>(words: readonly Word[], text: string | undefined): Word | undefined {
  return words.find((word) => word === text);
}
