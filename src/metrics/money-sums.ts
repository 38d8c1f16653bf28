import type { Database } from '../db';
import { type Clock, HOUR_MS, type Instant, MINUTE_MS, monotonicClock } from '../kernel';
import { moneySlice } from './money-read-model';

/** A transaction is recorded at the instant at which its work began; later than this it is no longer on its way. */
const RECORDED_AFTER_MS = 5 * MINUTE_MS;
/** How often the sums begin again, in case a transaction needed longer. */
const RECOUNT_MS = 6 * HOUR_MS;
/** An embedded database reads this number in some milliseconds, in which the process answers no call. */
const TRANSACTIONS_OF_A_SLICE = 1_000;
/** How long one scrape adds up. A large ledger is complete after several scrapes. */
const TURN_MS = 250;

/** The balances of accounts, and the instant through which they are counted. */
export interface MoneySums {
  readonly through: Instant;
  /** Debits less credits in millimes, by account. */
  readonly balances: ReadonlyMap<string, bigint>;
}

export interface MoneySumsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/**
 * Creates the sums of all postings, which each call continues where the last one ended. Each row is thus read once, in
 * small slices. Undefined until the sums are complete for the first time.
 */
export function createMoneySums({ database, clock, deadlineMs }: MoneySumsDeps): () => Promise<MoneySums | undefined> {
  let begunAt = 0;
  let through: Instant = 0;
  let counting = new Map<string, bigint>();
  let complete: MoneySums | undefined;
  return async () => {
    const until = clock.now() - RECORDED_AFTER_MS;
    const endAt = monotonicClock.now() + TURN_MS;
    if (through === 0) begunAt = clock.now();
    while (through < until && monotonicClock.now() < endAt) {
      const slice = await database.read((session) => moneySlice(session, through, until, TRANSACTIONS_OF_A_SLICE), {
        snapshot: true,
        deadlineMs,
      });
      for (const [account, total] of slice.moved) counting.set(account, (counting.get(account) ?? 0n) + total);
      through = slice.through;
    }
    if (through >= until) {
      complete = { through, balances: new Map(counting) };
      if (clock.now() - begunAt >= RECOUNT_MS) {
        through = 0;
        counting = new Map();
      }
    }
    return complete;
  };
}
