import { createSharedBudgetStore } from '../gateway-budget';
import { DAY_MS, formatInstant, type Instant, isAppError } from '../kernel';
import type { CollectingDeps } from './collecting';
import { QUEUE_TABLES, type QueueTable } from './queue-order';
import { type CallSign, currentWait, type QueueWait, waitAfter } from './queue-wait';
import { readQueueWait, writeQueueWait } from './queue-wait-codec';

/** A queue without calls for this long starts its next outage with the shortest wait. */
const KEEP_MS = DAY_MS;

/** A queue that sends nothing for now, because the gateway does not answer. */
export interface PausedQueue {
  readonly queue: QueueTable;
  /** The number of consecutive unanswered calls. */
  readonly unanswered: number;
  readonly resumesAt: Instant;
}

interface KeptWait {
  /** Also undefined for an unreadable text, which delays nothing and is overwritten. */
  readonly wait: QueueWait | undefined;
  readonly version: number | undefined;
}

type QueueDeps = Pick<CollectingDeps, 'database' | 'clock'> & { readonly settings: { readonly isTest: boolean } };
type RecordDeps = QueueDeps & Pick<CollectingDeps, 'logger'>;

/** Returns the wait of a queue, which all processes of an application share. */
async function readQueueWaitOf(deps: QueueDeps, table: QueueTable): Promise<KeptWait> {
  const entry = await createSharedBudgetStore(deps.database, deps.clock).read(keyOf(deps, table));
  return { wait: entry && readQueueWait(entry.value), version: entry?.version };
}

/** Returns the pause of a queue; undefined while it may send. */
async function pauseOf(deps: QueueDeps, queue: QueueTable): Promise<PausedQueue | undefined> {
  const { wait: kept } = await readQueueWaitOf(deps, queue);
  const now = deps.clock.now();
  const wait = currentWait(kept, now);
  if (wait === undefined || wait.inARow === 0 || now >= wait.resumesAt) return undefined;
  return { queue, unanswered: wait.inARow, resumesAt: wait.resumesAt };
}

/** Returns the queues that send nothing for now. */
export async function pausedQueues(deps: QueueDeps): Promise<PausedQueue[]> {
  const paused: PausedQueue[] = [];
  for (const queue of QUEUE_TABLES) {
    const pause = await pauseOf(deps, queue);
    if (pause !== undefined) paused.push(pause);
  }
  return paused;
}

/**
 * Returns whether the queue of a table may send now. False during a wait for a gateway that does not answer; the wait
 * is logged.
 */
export async function queueMaySend(deps: CollectingDeps, table: QueueTable): Promise<boolean> {
  const pause = await pauseOf(deps, table);
  if (pause === undefined) return true;
  const until = formatInstant(pause.resumesAt);
  deps.logger.info('queue paused until the gateway accepts calls', { event: `${table}.queue_waits`, until });
  return false;
}

/**
 * Records what a call shows about the gateway, whether the queue or a person made it. It does not throw for the
 * database: the row of the call matters, and the wait only relieves the gateway.
 */
export async function noteForQueue(deps: RecordDeps, table: QueueTable, sign: CallSign): Promise<void> {
  if (sign.kind === 'not_sent') return;
  try {
    const { wait, version } = await readQueueWaitOf(deps, table);
    const next = waitAfter(wait, sign, deps.clock.now());
    if (next === undefined) return;
    const written = { value: writeQueueWait(next), keepUntil: next.resumesAt + KEEP_MS };
    // If another process wrote first, it saw the same gateway at the same moment, so its record is sufficient.
    await createSharedBudgetStore(deps.database, deps.clock).replace(keyOf(deps, table), written, version);
  } catch (error) {
    if (!isAppError(error)) throw error;
    deps.logger.warn('queue pause not stored', { event: `${table}.queue_wait_lost`, error });
  }
}

/** Returns the key of a queue. As in the client's budget, each application is counted separately. */
function keyOf({ settings }: QueueDeps, table: QueueTable): string {
  return `queue:${table}:${settings.isTest ? 'test' : 'live'}`;
}
