import { createSharedBudgetStore } from '../gateway-budget';
import { isAppError } from '../kernel';
import type { CollectingDeps } from './collecting';
import type { QueueTable } from './queue-order';
import { type CallSign, type QueueWait, waitAfter } from './queue-wait';
import { readQueueWait, writeQueueWait } from './queue-wait-codec';

/** The next outage begins with the shortest wait again when nothing was sent for so long. */
const KEEP_MS = 86_400_000;

type RecordDeps = Pick<CollectingDeps, 'database' | 'clock' | 'logger' | 'settings'>;

interface KeptWait {
  /** Undefined for a text that cannot be read, too: it holds nothing up, and is written over. */
  readonly wait: QueueWait | undefined;
  readonly version: number | undefined;
}

/** The wait of a queue, one for all processes of an application. */
export async function readQueueWaitOf(deps: RecordDeps, table: QueueTable): Promise<KeptWait> {
  const entry = await createSharedBudgetStore(deps.database, deps.clock).read(keyOf(deps, table));
  return { wait: entry && readQueueWait(entry.value), version: entry?.version };
}

/**
 * Notes what a call told of the gateway, by the queue or by hand. It never throws for the database: the row of the call
 * is what counts, and the wait only spares the gateway.
 */
export async function noteForQueue(deps: RecordDeps, table: QueueTable, sign: CallSign): Promise<void> {
  if (sign.kind === 'not_sent') return;
  try {
    const { wait, version } = await readQueueWaitOf(deps, table);
    const next = waitAfter(wait, sign, deps.clock.now());
    if (next === undefined) return;
    const written = { value: writeQueueWait(next), keepUntil: next.resumesAt + KEEP_MS };
    // When another process was faster, it met the same gateway in the same moment, and its word will do.
    await createSharedBudgetStore(deps.database, deps.clock).replace(keyOf(deps, table), written, version);
  } catch (error) {
    if (!isAppError(error)) throw error;
    deps.logger.warn('queue pause not stored', { event: `${table}.queue_wait_lost`, error });
  }
}

/** Each application is counted by itself at the gateway, as in the budget of its client. */
function keyOf({ settings }: RecordDeps, table: QueueTable): string {
  return `queue:${table}:${settings.isTest ? 'test' : 'live'}`;
}
