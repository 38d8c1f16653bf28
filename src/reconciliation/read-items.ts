import { type AgentItem, openAgentItems } from '../agent-settlement';
import type { Session, SqlCondition } from '../db';
import { DAY_MS, type Instant } from '../kernel';
import { openRecordedItems, type RecordedItem } from '../payments';
import type { Item } from '../payout-inference';

/** The longest time between a payment and the receipt of a confirm that was resent or followed a failure of Millime. */
const OPEN_TO_THE_LEFT_MS = 7 * DAY_MS;

export interface ItemFilter {
  /** Only items that occurred before. */
  readonly before: Instant;
  /** Only rows recorded by then (default: all). */
  readonly knownUntil?: Instant | undefined;
  /** Builds a condition from the SQL of an item's id. */
  readonly wanted: (itemId: string) => SqlCondition;
  /** Of the agents only these confirms (default: all). */
  readonly transactionIds?: readonly string[] | undefined;
}

const OF_AGENTS = 'service:';

/** Returns the filter that selects these items, by their keys. */
export function namedItems(itemIds: readonly string[]): ItemFilter {
  const marks = itemIds.map(() => '?').join(', ');
  return {
    before: Number.MAX_SAFE_INTEGER,
    wanted: (itemId) => ({ sql: `${itemId} in (${marks})`, bindings: itemIds }),
    transactionIds: itemIds.flatMap((itemId) => (itemId.startsWith(OF_AGENTS) ? [itemId.slice(OF_AGENTS.length)] : [])),
  };
}

/** Returns the items of all channels, and the latest `recorded_at` of their facts; 0 without items. */
export async function readItems(
  session: Session,
  filter: ItemFilter,
): Promise<{ readonly items: Item[]; readonly recordedAt: Instant }> {
  const { ofAgents, others } = await readRecords(session, filter);
  return {
    items: [...ofAgents.map(ofAgent), ...others.map(ofGateway)],
    recordedAt: Math.max(latestRecorded(ofAgents), latestRecorded(others)),
  };
}

/** Returns the items of all channels, and the agent of each item that has one. */
export async function readItemsOfAgents(
  session: Session,
  filter: ItemFilter,
): Promise<{ readonly items: Item[]; readonly agentOf: ReadonlyMap<string, string> }> {
  const { ofAgents, others } = await readRecords(session, filter);
  const agentOf = new Map<string, string>();
  for (const { itemId, agentId } of [...ofAgents, ...others]) if (agentId !== undefined) agentOf.set(itemId, agentId);
  return { items: [...ofAgents.map(ofAgent), ...others.map(ofGateway)], agentOf };
}

async function readRecords(
  session: Session,
  filter: ItemFilter,
): Promise<{ readonly ofAgents: AgentItem[]; readonly others: RecordedItem[] }> {
  const ofAgents = await openAgentItems(session).receivedBefore(filter.before, filter);
  const others = await openRecordedItems(session).items(filter);
  return { ofAgents, others };
}

/** Returns the latest `recordedAt`; 0 without rows. */
export function latestRecorded(rows: readonly { readonly recordedAt: Instant }[]): Instant {
  return rows.reduce((latest, { recordedAt }) => Math.max(latest, recordedAt), 0);
}

function ofAgent({ itemId, amount, availableAfter, availableUntil }: AgentItem): Item {
  return {
    itemId,
    channel: 'agent',
    amount,
    succeededAt: availableUntil,
    availableAfter: availableAfter ?? availableUntil - OPEN_TO_THE_LEFT_MS,
    availableUntil,
  };
}

/**
 * Converts an item. A card payment becomes available by the gateway's rule, as observed; any other item when it
 * succeeds.
 */
function ofGateway({ itemId, channel, amount, refundOf, occurredAt, succeeded }: RecordedItem): Item {
  const item: Item = { itemId, channel, amount, succeededAt: occurredAt, refundOf };
  if (succeeded === undefined || channel === 'card' || channel === 'subscription') return item;
  return { ...item, availableAfter: succeeded.after, availableUntil: succeeded.until };
}
