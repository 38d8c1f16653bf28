import { type Database, ROWS_PER_STATEMENT, type Session } from '../db';
import { pagesOf } from '../kernel';
import { namedItems, readItemsOfAgents } from './read-items';
import { openRunStore } from './run-store';
import { openWaitingItems, type StoredWaitingItem, type WaitingAsOf } from './waiting-item-store';
import type { WaitingItem } from './waiting-items';

/** Reading all stored items may take longer than a payment may take. */
const READ_DEADLINE_MS = 120_000;

/**
 * Stores the unpaid items of a run that has ended, for the lists of payments and of unpaid items. It writes what changed,
 * in short transactions, so that payments never wait. When a later run ends meanwhile, it stops: that run stores its own.
 * It also stops when the process does, because the run itself has ended. The next run changes what is left.
 */
export async function storeWaiting(
  database: Database,
  waiting: readonly WaitingItem[],
  asOf: WaitingAsOf,
  signal: AbortSignal | undefined,
): Promise<void> {
  // A repeated run finds the same items and records no run of its own.
  if ((await database.read((session) => openWaitingItems(session).asOf()))?.runId === asOf.runId) return;
  const stored = await database.read((session) => openWaitingItems(session).all(), { deadlineMs: READ_DEADLINE_MS });
  const before = new Map(stored.map(({ agentId: _agentId, ...item }) => [item.itemId, textOf(item)]));
  const changed = waiting.filter((item) => before.get(item.itemId) !== textOf(item));
  for (const { itemId } of waiting) before.delete(itemId);
  const ifLast = async (work: (session: Session) => Promise<void>): Promise<boolean> =>
    database.transact(async (session) => {
      if (signal?.aborted === true || (await openRunStore(session).holdLast())?.id !== asOf.runId) return false;
      await work(session);
      return true;
    });
  for (const page of pagesOf([...before.keys()], ROWS_PER_STATEMENT)) {
    if (!(await ifLast((session) => openWaitingItems(session).remove(page)))) return;
  }
  for (const page of pagesOf(changed, ROWS_PER_STATEMENT)) {
    const work = async (session: Session): Promise<void> =>
      openWaitingItems(session).put(await withAgents(session, page));
    if (!(await ifLast(work))) return;
  }
  await ifLast((session) => openWaitingItems(session).setAsOf(asOf));
}

async function withAgents(session: Session, items: readonly WaitingItem[]): Promise<StoredWaitingItem[]> {
  const { agentOf } = await readItemsOfAgents(session, namedItems(items.map(({ itemId }) => itemId)));
  return items.map((item) => ({ ...item, agentId: agentOf.get(item.itemId) }));
}

function textOf({ channel, amount, succeededAt, availableAt, usuallyOn, dueOn, isLate }: WaitingItem): string {
  return [channel, amount, succeededAt, availableAt, usuallyOn, dueOn, isLate].join(' ');
}
