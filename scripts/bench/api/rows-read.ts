import { numberOf, type ServiceDatabase } from '../service/service-database';

const ROWS_READ =
  "select sum(variable_value) from information_schema.global_status where variable_name like 'handler_read%'";

/**
 * Counts the rows and index entries that MariaDB reads for a piece of work, which must be alone on the server.
 * Undefined on SQLite, which has no such counter.
 */
export async function rowsReadBy(database: ServiceDatabase, work: () => Promise<unknown>): Promise<number | undefined> {
  if (database.kind === 'sqlite') {
    await work();
    return undefined;
  }
  // The counter counts its own reading, always by the same number.
  const [first, second] = [await numberOf(database, ROWS_READ), await numberOf(database, ROWS_READ)];
  await work();
  return (await numberOf(database, ROWS_READ)) - second - (second - first);
}

/** Returns the times of a repeated piece of work in milliseconds, shortest first. */
export async function timesOf(repeats: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b);
}

/** Returns a time at a share of sorted times: 0.5 is the median. */
export function atShare(times: readonly number[], share: number): number {
  return times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? Number.NaN;
}
