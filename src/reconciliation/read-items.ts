import { openAgentItems, type AgentItem } from '../agent-settlement';
import type { Session, SqlCondition } from '../db';
import type { Instant } from '../kernel';
import { openRecordedItems, type RecordedItem } from '../payments';
import type { Item } from '../payout-inference';

/** How much older than its receipt a confirm may be that was resent, or that followed an internal failure. */
const OPEN_TO_THE_LEFT_MS = 7 * 24 * 60 * 60_000;

export interface ItemFilter {
  /** Only what happened before. */
  readonly before: Instant;
  /** Only what was recorded by then; everything when it is not given. */
  readonly knownUntil?: Instant | undefined;
  /** The condition on the SQL of an item's id. */
  readonly wanted: (itemId: string) => SqlCondition;
}

/** Items of all channels, and when the last of what is said of them was recorded; 0 when there are none. */
export async function readItems(
  session: Session,
  filter: ItemFilter,
): Promise<{ readonly items: Item[]; readonly recordedAt: Instant }> {
  const ofAgents = await openAgentItems(session).receivedBefore(filter.before, filter);
  const others = await openRecordedItems(session).items(filter);
  return {
    items: [...ofAgents.map(ofAgent), ...others.map(ofGateway)],
    recordedAt: Math.max(latestRecorded(ofAgents), latestRecorded(others)),
  };
}

/** 0 when there is nothing. */
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

/** A card is available by the gateway's rule, as observed; every other item as soon as it succeeds. */
function ofGateway({ itemId, channel, amount, refundOf, occurredAt, succeeded }: RecordedItem): Item {
  const item: Item = { itemId, channel, amount, succeededAt: occurredAt, refundOf };
  if (succeeded === undefined || channel === 'card' || channel === 'subscription') return item;
  return { ...item, availableAfter: succeeded.after, availableUntil: succeeded.until };
}
