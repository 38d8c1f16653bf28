import { AppError, assert, type Clock, monotonicClock } from '../kernel';

/** The answer of an item that its batch left out. The item and others of its key wait for a later batch. */
export const POSTPONED = Symbol('postponed');

export interface BatchOptions<Item, Answer> {
  /**
   * Answers all items of a batch, in their order, by `deadlineAt` of the monotonic clock: the deadline of the item that
   * has waited longest. Only items with a key may be postponed.
   */
  readonly run: (items: readonly Item[], deadlineAt: number) => Promise<readonly (Answer | typeof POSTPONED)[]>;
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

/** How long a postponed key waits: doubled each time, so that many of them take little from the others. */
const POSTPONED_FIRST_MS = 4;
const POSTPONED_MAX_MS = 128;
/** A postponed item with less time is refused, because its deadline would bound that of its whole batch. */
const POSTPONED_LEFT_MS = 500;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly key: string | undefined;
  readonly deadlineAt: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Runs items in batches: those that arrive while a batch runs form the next one, in the order of their arrival. Without
 * load an item runs alone and at the end of the turn of the event loop in which it arrived.
 */
export class Batches<Item, Answer> {
  readonly #options: BatchOptions<Item, Answer>;
  readonly #monotonic: Clock;
  #waiting: Waiting<Item, Answer>[] = [];
  readonly #running = new Set<{ readonly startedAt: number }>();
  readonly #busyKeys = new Set<string>();
  /** How long each key waits that was postponed. It does not wait while its next batch runs. */
  readonly #postponed = new Map<string, { readonly waitMs: number; isOver: boolean }>();
  #isScheduled = false;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(options: BatchOptions<Item, Answer>) {
    this.#options = options;
    this.#monotonic = options.monotonic ?? monotonicClock;
  }

  /**
   * Adds an item to the next batch, and returns its answer.
   *
   * @throws AppError `unavailable` when the queue is full, or the item's deadline passed before its batch began. Then the
   * item was not run.
   */
  add(item: Item): Promise<Answer> {
    const { waitingMax, deadlineMs, keyOf } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= waitingMax) return reject(new AppError('unavailable', 'too many calls wait'));
      const deadlineAt = this.#monotonic.now() + deadlineMs;
      this.#waiting.push({ item, key: keyOf?.(item), deadlineAt, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startBatches();
    });
  }

  #startBatches(): void {
    while (this.#waiting.length > 0 && this.#hasLane()) {
      const batch = this.#takeBatch();
      if (batch.length === 0) break; // every key that waits is busy
      void this.#run(batch);
    }
    this.#watchForStall();
  }

  #hasLane(): boolean {
    const { lanes, lanesMax } = this.#options;
    const stalledFrom = this.#monotonic.now() - STALLED_MS;
    const moving = [...this.#running].filter(({ startedAt }) => startedAt > stalledFrom).length;
    return moving < lanes && this.#running.size < lanesMax;
  }

  /** Batches start when another one ends. If all of them are stalled, only a timer can tell. */
  #watchForStall(): void {
    const isNeeded = this.#waiting.length > 0 && this.#running.size < this.#options.lanesMax;
    if (this.#stallTimer !== undefined || !isNeeded) return;
    this.#stallTimer = setTimeout(() => {
      this.#stallTimer = undefined;
      this.#startBatches();
    }, STALLED_MS).unref();
  }

  #takeBatch(): Waiting<Item, Answer>[] {
    const now = this.#monotonic.now();
    const batch: Waiting<Item, Answer>[] = [];
    const left: Waiting<Item, Answer>[] = [];
    for (const each of this.#waiting) {
      const wait = each.key === undefined ? undefined : this.#postponed.get(each.key);
      const isBusy = wait?.isOver === false || (each.key !== undefined && this.#busyKeys.has(each.key));
      if (each.deadlineAt <= now + (wait === undefined ? 0 : POSTPONED_LEFT_MS)) this.#expire(each);
      else if (isBusy || batch.length === this.#options.itemsMax) left.push(each);
      else batch.push(each);
    }
    this.#waiting = left;
    return batch;
  }

  #expire({ key, reject }: Waiting<Item, Answer>): void {
    if (key !== undefined) this.#postponed.delete(key);
    reject(new AppError('unavailable', 'the call waited too long for its batch'));
  }

  async #run(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const lane = { startedAt: this.#monotonic.now() };
    this.#running.add(lane);
    for (const { key } of batch) if (key !== undefined) this.#busyKeys.add(key);
    try {
      await this.#answer(batch);
    } finally {
      this.#running.delete(lane);
      for (const { key } of batch) if (key !== undefined) this.#busyKeys.delete(key);
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  #give(batch: readonly Waiting<Item, Answer>[], answers: readonly (Answer | typeof POSTPONED)[]): void {
    const again: Waiting<Item, Answer>[] = [];
    for (const [index, each] of batch.entries()) {
      const answer = answers[index] as Answer | typeof POSTPONED;
      if (answer === POSTPONED) again.push(each);
      else {
        if (each.key !== undefined) this.#postponed.delete(each.key);
        each.resolve(answer);
      }
    }
    if (again.length === 0) return;
    this.#waiting = [...again, ...this.#waiting];
    for (const key of new Set(again.map(({ key }) => key))) this.#postpone(key);
  }

  #postpone(key: string | undefined): void {
    assert(key !== undefined, 'only an item with a key is postponed');
    const before = this.#postponed.get(key);
    const wait = { waitMs: Math.min(2 * (before?.waitMs ?? POSTPONED_FIRST_MS / 2), POSTPONED_MAX_MS), isOver: false };
    this.#postponed.set(key, wait);
    // At random, because processes that ask at the same time would meet again.
    setTimeout(
      () => {
        wait.isOver = true;
        this.#schedule();
      },
      wait.waitMs * (0.5 + Math.random()),
    );
  }

  async #answer(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    try {
      const answers = await this.#options.run(items, Math.min(...batch.map(({ deadlineAt }) => deadlineAt)));
      assert(answers.length === batch.length, 'every item of a batch has its answer');
      this.#give(batch, answers);
    } catch (error) {
      if (batch.length === 1 || this.#options.mayHalve?.(error) !== true) {
        return batch.forEach(({ reject }) => reject(error));
      }
      const middle = Math.ceil(batch.length / 2);
      await this.#answer(batch.slice(0, middle));
      await this.#answer(batch.slice(middle));
    }
  }
}
