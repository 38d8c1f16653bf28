import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Instant, SECOND_MS } from '../../kernel';
import type { Logger } from '../../logging';
import { GatewayError } from '../gateway-error';
import { readRecord } from './budget-codec';
import type { BudgetStore } from './budget-store';
import { withTimeout } from './with-timeout';

/** Each lost attempt means that another process won. Losing this often in a row means that the store is faulty. */
const TRIES_MAX = 50;
const PAUSE_FIRST_MS = 2;
const PAUSE_MAX_MS = 50;
const CONTENTION_RETRY_MS = SECOND_MS;
/** A store that takes longer counts as failed. */
const STORE_TIMEOUT_MS = 10 * SECOND_MS;

export interface RecordDeps {
  readonly store: BudgetStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One entry of the store and the codec of its text. */
export interface RecordShape<State> {
  readonly key: string;
  readonly empty: State;
  /**
   * Returns the state to use for an unreadable text: the most that can have been used. It keeps the limit and expires
   * normally.
   */
  spent(now: Instant): State;
  read(value: unknown): State | undefined;
  keepMs(state: State): number;
}

export interface BudgetRecord<State> {
  /**
   * Changes the entry by compare-and-swap. `decide` must be pure, because it runs again when another process changed
   * the entry first. It returns the `next` state, or undefined to change nothing.
   *
   * @throws GatewayError `unavailable` when the store fails, `rate_limited` when other processes win every attempt.
   */
  change<Result>(
    operation: string,
    decide: (state: State, now: Instant) => { readonly next: State | undefined; readonly result: Result },
  ): Promise<Result>;
}

export function budgetRecord<State>(deps: RecordDeps, shape: RecordShape<State>): BudgetRecord<State> {
  const { store, clock, logger } = deps;
  // Changes within one process run in sequence, because concurrent ones would only make each other's swap fail.
  let last: Promise<unknown> = Promise.resolve();

  async function guarded<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const failed = (error: unknown): GatewayError => {
      logger.warn('budget store failed', { event: 'gateway.budget_store_failed', operation, error });
      return new GatewayError('unavailable', 'the call budget cannot be read or stored', { operation });
    };
    let working: Promise<T>;
    try {
      working = Promise.resolve(work());
    } catch (error) {
      throw failed(error);
    }
    const answer = working.catch((error: unknown): never => {
      throw failed(error);
    });
    return withTimeout(answer, STORE_TIMEOUT_MS, () => {
      throw failed(new Error(`no answer of the store in ${STORE_TIMEOUT_MS} ms`));
    });
  }

  /**
   * Reads the state from its text. The caller must write `repaired` even if nothing else changed; otherwise each read
   * would restart the replacement's time.
   */
  function stateOf(text: string | undefined, now: Instant): { state: State; repaired: State | undefined } {
    if (text === undefined) return { state: shape.empty, repaired: undefined };
    const state = readRecord(text, shape.read);
    if (state !== undefined) return { state, repaired: undefined };
    logger.warn('unreadable budget entry counted as spent', { event: 'gateway.budget_unreadable' });
    const spent = shape.spent(now);
    return { state: spent, repaired: spent };
  }

  async function changeNow<Result>(
    operation: string,
    decide: (state: State, now: Instant) => { readonly next: State | undefined; readonly result: Result },
  ): Promise<Result> {
    for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
      const entry = await guarded(operation, () => store.read(shape.key));
      const now = clock.now();
      const { state, repaired } = stateOf(entry?.value, now);
      const { next = repaired, result } = decide(state, now);
      if (next === undefined) return result;
      const written = { value: JSON.stringify(next), keepUntil: now + shape.keepMs(next) };
      if (await guarded(operation, () => store.replace(shape.key, written, entry?.version))) return result;
      await sleep(Math.min(PAUSE_FIRST_MS * attempt, PAUSE_MAX_MS) * (0.5 + Math.random()));
    }
    const retryAfterMs = CONTENTION_RETRY_MS;
    throw new GatewayError('rate_limited', 'too many concurrent calls change the call budget', {
      operation,
      retryAfterMs,
    });
  }

  return {
    change(operation, decide) {
      const mine = last.then(() => changeNow(operation, decide));
      last = mine.catch(() => undefined); // the caller receives the error
      return mine;
    },
  };
}
