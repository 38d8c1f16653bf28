// Goal: the books are correct after each step, in any order of actions by people, the gateway and the bank and under
// any database fault, and a caller without an answer gets the true one when it repeats the request.
// Method: many short histories of seeded random operations through the rooms, faults between the program and the
// driver, a small model beside them, and every invariant of the books after each step. A failing history prints how to
// repeat it. FAULT_LENGTH sets their number, FAULT_SEED their seed, FAULT_HISTORY runs one alone.
import { afterAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase, freshDatabase, parsedUrl } from '../../support/db';
import { FAULT_LENGTH, FAULT_SEED, recordFault, sized } from '../../support/faults';
import { History } from './histories/history';

const HISTORIES = sized({ short: { sqlite: 6, mariadb: 2 }, full: { sqlite: 18, mariadb: 4 } });
const HISTORY = process.env['FAULT_HISTORY'];
const LIMIT_MS = 60_000;

describeOnEachDatabase('the books after random operations and faults', (harness) => {
  const numbers =
    HISTORY === undefined
      ? Array.from({ length: HISTORIES[harness.dialect] * FAULT_LENGTH }, (_, index) => index + 1)
      : [Number(HISTORY)];
  const table = { rounds: 0, acknowledged: 0, lost: 0, doubled: 0, longestMs: 0 };

  test.each(numbers)(
    `verify after each step of history %i of seed ${FAULT_SEED}`,
    async (number) => {
      const database = openDatabase(parsedUrl(harness.url), silentLogger);
      const history = new History(database, FAULT_SEED, number);
      try {
        await history.run();
      } catch (error) {
        throw new Error(howToReplay(number, history.log, error), { cause: error });
      } finally {
        const { acknowledged, lost, doubled } = await history.damage();
        table.rounds += 1;
        table.acknowledged += acknowledged;
        table.lost += lost;
        table.doubled += doubled;
        table.longestMs = Math.max(table.longestMs, history.longestMs);
        await database.close();
      }
    },
    LIMIT_MS,
  );

  afterAll(() => recordFault({ fault: 'fuzz', what: 'random histories', database: harness.dialect, ...table }));
});

/** As knex hands it to the driver. */
/** A connection of better-sqlite3, as far as the faults need it. */
interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
}

interface SqliteStatement {
  readonly reader: boolean;
  all(...values: unknown[]): unknown;
  run(...values: unknown[]): unknown;
}

describe('the histories report', () => {
  // One that imports dues, confirms payments and takes money through the channels, with refunds and fees; what it does
  // depends on these alone.
  const SEEDS = [1, 26] as const;

  test.each<[string, (sql: string, run: (sql?: string) => unknown) => unknown]>([
    ['a COMMIT that is answered well and stores nothing', (sql, run) => run(sql === 'COMMIT' ? 'ROLLBACK' : sql)],
    [
      'a balance that is changed by what no posting says',
      (sql, run) => {
        if (/^insert into .ledger_balances/.test(sql)) run();
        return run();
      },
    ],
    [
      'a due that is stored without its posting',
      (sql, run) => run(/^insert into .postings/.test(sql) ? 'delete from postings where 1 = 0' : sql),
    ],
    [
      'a payment that is posted without its item',
      (sql, run) => run(/^insert into .gateway_items/.test(sql) ? 'delete from gateway_items where 1 = 0' : sql),
    ],
    [
      'a fee that is posted and not noted',
      (sql, run) => run(/^insert into .gateway_item_fees/.test(sql) ? 'delete from dues where 1 = 0' : sql),
    ],
  ])('%s', async (_what, sabotage) => {
    const database = (await freshDatabase('sqlite')).open();
    const history = new History(database, ...SEEDS);
    const client = database.pool.client as { acquireRawConnection(): Promise<SqliteConnection> };
    const acquire = client.acquireRawConnection.bind(client);
    client.acquireRawConnection = async () => {
      const connection = await acquire();
      const prepare = connection.prepare.bind(connection);
      connection.prepare = (sql) => {
        const statement = prepare(sql);
        const sabotaged =
          (method: 'all' | 'run') =>
          (...values: unknown[]): unknown =>
            history.log.length === 0
              ? statement[method](...values)
              : sabotage(sql, (other = sql) => (other === sql ? statement[method](...values) : prepare(other).run()));
        return { reader: statement.reader, all: sabotaged('all'), run: sabotaged('run') };
      };
      return connection;
    };
    await expect(history.run()).rejects.toHaveProperty('matcherResult');
  });

  test('nothing without a fault', async () => {
    const history = new History((await freshDatabase('sqlite')).open(), ...SEEDS);
    await history.run();
    expect(history.model.stored.size).toBeGreaterThan(0);
    expect(history.model.dues.size).toBeGreaterThan(0);
    const paid = [...history.model.paid.values()];
    expect(paid.some(({ fee }) => fee !== undefined)).toBe(true);
    expect(paid.some(({ refunds }) => refunds.size > 0)).toBe(true);
  });
});

function howToReplay(number: number, log: readonly string[], error: unknown): string {
  return [
    `history ${number} of seed ${FAULT_SEED} went wrong after:`,
    ...log,
    '',
    String(error instanceof Error ? error.message : error),
    '',
    `again: FAULT_SEED=${FAULT_SEED} FAULT_HISTORY=${number} npx jest random-histories`,
  ].join('\n');
}
