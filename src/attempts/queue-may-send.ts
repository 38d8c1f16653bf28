import { formatInstant } from '../kernel';
import type { CollectingDeps } from './collecting';
import type { QueueTable } from './queue-order';
import { currentWait } from './queue-wait';
import { readQueueWaitOf } from './queue-wait-record';

/**
 * Returns whether the queue of a table may send now. False during a wait for a gateway that does not answer; the wait
 * is logged.
 */
export async function queueMaySend(deps: CollectingDeps, table: QueueTable): Promise<boolean> {
  const { wait: kept } = await readQueueWaitOf(deps, table);
  const now = deps.clock.now();
  const wait = currentWait(kept, now);
  if (wait === undefined || wait.inARow === 0 || now >= wait.resumesAt) return true;
  const until = formatInstant(wait.resumesAt);
  deps.logger.info('queue paused until the gateway accepts calls', { event: `${table}.queue_waits`, until });
  return false;
}
