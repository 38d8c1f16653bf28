import type { Session } from '../db';
import { openMatchStore } from './match-store';
import { namedItems } from './read-items';
import { recentPayouts } from './recent-payouts-store';
import { judgeUnpaid, type UnpaidDeps } from './unpaid-items';
import { openWaitingItems } from './waiting-item-store';
import type { WaitingItem } from './waiting-items';

/** An item that no match holds, and on which days the bank should book it. */
export type DueItem = Pick<WaitingItem, 'itemId' | 'usuallyOn' | 'dueOn' | 'isLate'>;

/**
 * Returns those of the given items that no match holds, with their days as the last run judged them. An item that came
 * later is judged alone, by the newest payouts: it is not late, and the days of a card are those of an item that becomes
 * available at once. So the number of rows that are read does not depend on the number of unpaid items.
 */
export async function readDue(session: Session, deps: UnpaidDeps, itemIds: readonly string[]): Promise<DueItem[]> {
  const held = await openMatchStore(session).claimed(itemIds);
  const open = itemIds.filter((itemId) => !held.has(itemId));
  const stored = await openWaitingItems(session).named(open);
  const newer = open.filter((itemId) => !stored.has(itemId));
  return [...stored.values(), ...(newer.length === 0 ? [] : await judgeNewer(session, deps, newer))];
}

async function judgeNewer(session: Session, deps: UnpaidDeps, itemIds: readonly string[]): Promise<readonly DueItem[]> {
  const history = await recentPayouts(session);
  const { waiting } = await judgeUnpaid(session, deps, { ...namedItems(itemIds), history, horizon: undefined });
  return waiting;
}
