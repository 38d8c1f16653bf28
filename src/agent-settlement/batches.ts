import { AppError, assert, type Clock, monotonicClock } from '../kernel';

export interface BatchOptions<Item, Answer> {
  /**
   * Answers all items of a batch, in their order, by `deadlineAt` of the monotonic clock: the deadline of the item that
   * has waited longest.
   */
  readonly run: (items: readonly Item[], deadlineAt: number) => Promise<readonly Answer[]>;
  /** Items with one key are never in two batches that run concurrently. */
  readonly keyOf?: (item: Item) => string | undefined;
  /** Whether a batch of several items that failed with this error runs again in halves. */
  readonly mayHalve?: (error: unknown) => boolean;
  readonly itemsMax: number;
  readonly waitingMax: number;
  /** How long an item may take, with its wait. */
  readonly deadlineMs: number;
  /** The number of batches that run concurrently; see `STALLED_MS`. */
  readonly lanes: number;
  readonly lanesMax: number;
  readonly monotonic?: Clock;
}

/** A batch that runs longer waits for a lock or for the database. It then no longer keeps another batch from starting. */
const STALLED_MS = 100;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly key: string | undefined;
  readonly deadlineAt: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Adds an item to the next batch, and returns its answer. */
export type AddToBatch<Item, Answer> = (item: Item) => Promise<Answer>;

/**
 * Runs items in batches: those that arrive while a batch runs form the next one, in the order of their arrival. Without
 * load an item runs alone and at the end of the turn of the event loop in which it arrived.
 *
 * @throws AppError `unavailable` when the queue is full, or the item's deadline passed before its batch began. Then the
 * item was not run.
 */
export function inBatches<Item, Answer>(options: BatchOptions<Item, Answer>): AddToBatch<Item, Answer> {
  const { run, keyOf, mayHalve, itemsMax, waitingMax, deadlineMs, lanes, lanesMax } = options;
  const { monotonic = monotonicClock } = options;
  let waiting: Waiting<Item, Answer>[] = [];
  const running = new Set<{ readonly startedAt: number }>();
  const busyKeys = new Set<string>();
  let scheduled = false;
  let stallTimer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startBatches();
    });
  }

  function startBatches(): void {
    while (waiting.length > 0 && hasLane()) {
      const batch = takeBatch();
      if (batch.length === 0) break; // every key that waits is busy
      void runBatch(batch);
    }
    watchForStall();
  }

  function hasLane(): boolean {
    const stalledFrom = monotonic.now() - STALLED_MS;
    const moving = [...running].filter(({ startedAt }) => startedAt > stalledFrom).length;
    return moving < lanes && running.size < lanesMax;
  }

  /** Batches start when another one ends. If all of them are stalled, only a timer can tell. */
  function watchForStall(): void {
    if (stallTimer !== undefined || waiting.length === 0 || running.size >= lanesMax) return;
    stallTimer = setTimeout(() => {
      stallTimer = undefined;
      startBatches();
    }, STALLED_MS).unref();
  }

  function takeBatch(): Waiting<Item, Answer>[] {
    const now = monotonic.now();
    const batch: Waiting<Item, Answer>[] = [];
    const left: Waiting<Item, Answer>[] = [];
    for (const each of waiting) {
      if (each.deadlineAt <= now) each.reject(new AppError('unavailable', 'the call waited too long for its batch'));
      else if (batch.length === itemsMax || (each.key !== undefined && busyKeys.has(each.key))) left.push(each);
      else batch.push(each);
    }
    waiting = left;
    return batch;
  }

  async function runBatch(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const lane = { startedAt: monotonic.now() };
    running.add(lane);
    for (const { key } of batch) if (key !== undefined) busyKeys.add(key);
    try {
      await answer(batch);
    } finally {
      running.delete(lane);
      for (const { key } of batch) if (key !== undefined) busyKeys.delete(key);
      if (waiting.length > 0) schedule();
    }
  }

  async function answer(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const deadlineAt = Math.min(...batch.map((each) => each.deadlineAt));
    try {
      const answers = await run(
        batch.map(({ item }) => item),
        deadlineAt,
      );
      assert(answers.length === batch.length, 'every item of a batch has its answer');
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (batch.length > 1 && mayHalve?.(error) === true) {
        const middle = Math.ceil(batch.length / 2);
        await answer(batch.slice(0, middle));
        await answer(batch.slice(middle));
      } else {
        batch.forEach(({ reject }) => reject(error));
      }
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) return reject(new AppError('unavailable', 'too many calls wait'));
      const deadlineAt = monotonic.now() + deadlineMs;
      waiting.push({ item, key: keyOf?.(item), deadlineAt, resolve, reject });
      schedule();
    });
}
