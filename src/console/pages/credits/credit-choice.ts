import type { Json } from '../../../api';
import { AppError, parseInstant } from '../../../kernel';
import type { Visit } from '../../page/page';

export type Credit = Json<'showCredit'>;
export type Candidate = NonNullable<Credit['answer']>['candidates'][number];
export type UnpaidItem = Json<'listUnpaidItems'>['data'][number];

/** A form has a box for each item. A choice of more items is that of a whole explanation. */
export const BOXES_MAX = 1_500;
const ITEMS_PER_PAGE = '200';

/** The items that a person chose for a credit. */
export interface Choice {
  readonly itemIds: readonly string[];
  /** The candidate that was taken whole, because it has too many items for boxes. */
  readonly whole: string | undefined;
}

/** The unpaid items beside a credit: a page of them in the order of payouts. */
export interface Offered {
  readonly asOf: Json<'listUnpaidItems'>['asOf'];
  readonly items: readonly UnpaidItem[];
  /** The cursor of this page; empty on the first one. */
  readonly cursor: string;
  readonly nextCursor: string | undefined;
}

/** Returns the choice that the form of the page states: a whole explanation, all items up to one, or boxes. */
export async function choiceOf(visit: Visit, credit: Credit): Promise<Choice> {
  const { form } = visit;
  const take = form.value('take');
  const whole = take === '' ? form.value('whole') : take;
  if (whole !== '') return candidateChoice(visit, credit, whole);
  const upTo = form.value('upTo');
  if (upTo !== '') return { itemIds: await itemsUpTo(visit, credit, upTo), whole: undefined };
  return { itemIds: [...new Set(form.values('item'))], whole: undefined };
}

async function candidateChoice(visit: Visit, { lineId, answer }: Credit, candidateId: string): Promise<Choice> {
  const candidates = answer?.candidates ?? (await candidatesNow(visit, lineId));
  const candidate = candidates.find((each) => each.candidateId === candidateId);
  if (candidate === undefined) throw new AppError('not_found', { thing: 'candidate', id: `${lineId}/${candidateId}` });
  const { itemIds, items } = candidate;
  return { itemIds, whole: items > BOXES_MAX ? candidateId : undefined };
}

/** Computes the explanations of a credit, which takes as long as a run. */
export async function candidatesNow(visit: Visit, lineId: string): Promise<readonly Candidate[]> {
  return (await visit.call('listCandidates', { params: { lineId } })).data;
}

/** Reads a page of the items that a credit may have paid: those that were available by the end of its day. */
export async function offeredItems(visit: Visit, credit: Credit, cursor: string): Promise<Offered> {
  const { query, calendar } = visit;
  const channel = query['channel'] === '' ? undefined : query['channel'];
  const list = await visit.call('listUnpaidItems', {
    query: { channel, cursor: cursor === '' ? undefined : cursor, limit: ITEMS_PER_PAGE },
  });
  const isInTime = ({ availableUntil }: UnpaidItem): boolean =>
    calendar.dateOf(parseInstant(availableUntil) ?? 0) <= credit.bookingDate;
  const items = query['later'] === 'yes' ? list.data : list.data.filter(isInTime);
  const isLast = !list.hasMore || items.length < list.data.length;
  return { asOf: list.asOf, items, cursor, nextCursor: isLast ? undefined : (list.nextCursor ?? undefined) };
}

/** Returns the items of the list from its beginning through one of them. */
async function itemsUpTo(visit: Visit, credit: Credit, last: string): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined && found.length < BOXES_MAX) {
    const page: Offered = await offeredItems(visit, credit, cursor);
    for (const { itemId } of page.items) {
      found.push(itemId);
      if (itemId === last) return found;
    }
    cursor = page.nextCursor;
  }
  throw new AppError('not_found', { thing: 'item', id: last });
}
