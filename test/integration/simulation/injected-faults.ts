import fc from 'fast-check';
import type { Database, Dialect } from '../../../src/db';
import { DAY_MS } from '../../../src/kernel';

/** Where in a transaction a fault strikes. */
type Place = 'acquire' | 'begin' | 'statement' | 'commit' | 'rollback';

/**
 * What happens to a statement.
 *
 * - `refused`: there is no connection to be had.
 * - `deadlock`: the engine rolled the whole transaction back. SQLite says "busy" and leaves it open.
 * - `lock_timeout`: the engine gave this one statement up and left the transaction open.
 * - `full`: nothing more can be stored; trying again does not help.
 * - `lost_before`, `lost_after`: the connection broke before the statement reached the database, or after it was done.
 */
type Kind = 'refused' | 'deadlock' | 'lock_timeout' | 'full' | 'lost_before' | 'lost_after';

/** The `nth` time that the `call` of a step comes to such a place, or every time. */
export interface PlannedFault {
  readonly call: number;
  readonly place: Place;
  readonly nth: number | 'every';
  readonly kind: Kind;
}

export interface InjectedFaults {
  /** From now on these strike, counted from now. */
  plan(faults: readonly Omit<PlannedFault, 'call'>[]): void;
  /** Those that have struck since the plan was made, for people. */
  struck(): readonly string[];
}

const KINDS: Readonly<Record<Place, readonly Kind[]>> = {
  acquire: ['refused'],
  begin: ['deadlock', 'lost_before', 'lost_after'],
  statement: ['deadlock', 'lock_timeout', 'full', 'lost_before', 'lost_after'],
  commit: ['deadlock', 'full', 'lost_before', 'lost_after', 'lost_after'],
  rollback: ['lost_before', 'lost_after'],
};
const PLACES: readonly Place[] = [
  'acquire',
  'begin',
  'statement',
  'statement',
  'commit',
  'commit',
  'commit',
  'rollback',
];
const STATEMENTS_MAX = 20;
const SQL_SHOWN = 50;

const oneFault = (place: Place): fc.Arbitrary<PlannedFault> =>
  fc.record({
    call: fc.constantFrom(1, 1, 2),
    place: fc.constant(place),
    nth: place === 'statement' ? fc.integer({ min: 1, max: STATEMENTS_MAX }) : fc.constantFrom(1, 1, 1, 2, 3),
    kind: fc.constantFrom(...KINDS[place]),
  });

/** Most meet a call once; a few let it fail until all tries are used up. */
export const plannedFault: fc.Arbitrary<PlannedFault> = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...PLACES).chain(oneFault) },
  {
    weight: 1,
    arbitrary: fc.constant<PlannedFault>({ call: 1, place: 'commit', nth: 'every', kind: 'deadlock' }),
  },
);

/** What knex's clients have in common, and the two drivers' connections. */
interface Client {
  _query(connection: Connection, query: { sql: string }): Promise<unknown>;
  acquireConnection(): Promise<Connection>;
  acquireRawConnection(): Promise<Connection>;
}
interface Connection {
  destroy?: () => void;
  prepare?: (sql: string) => Statement;
  function?: (name: string, options: object, body: () => number) => void;
}
interface Statement {
  readonly reader: boolean;
  all(...values: readonly unknown[]): unknown;
  run(...values: readonly unknown[]): unknown;
}

/**
 * Lets faults strike between the program and the driver: below `transact`, which has to notice them, and below every
 * store. On MariaDB a broken connection really is broken. SQLite has none: there the error alone is made up.
 *
 * @param databaseNow the clock of an embedded database, which leases use; that of a server is left alone.
 */
export function injectFaults(database: Database, databaseNow: () => number): InjectedFaults {
  const client = database.pool.client as Client;
  const acquire = client.acquireConnection.bind(client);
  const faults = new Faults(database.dialect);
  client.acquireConnection = async () => {
    if (faults.strike('acquire', '') !== undefined) throw driverError('refused', database.dialect);
    return acquire();
  };
  if (database.dialect === 'sqlite') faultsOfFile(client, faults, databaseNow);
  else faultsOfServer(client, faults);
  return faults;
}

class Faults implements InjectedFaults {
  readonly dialect: Dialect;
  #planned: readonly Omit<PlannedFault, 'call'>[] = [];
  #seen = new Map<Place, number>();
  #struck: string[] = [];

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  plan(faults: readonly Omit<PlannedFault, 'call'>[]): void {
    this.#planned = faults;
    this.#seen = new Map();
    this.#struck = [];
  }

  struck(): readonly string[] {
    return this.#struck;
  }

  strike(place: Place, sql: string): Kind | undefined {
    const count = (this.#seen.get(place) ?? 0) + 1;
    this.#seen.set(place, count);
    const fault = this.#planned.find(({ place: where, nth }) => where === place && (nth === 'every' || nth === count));
    if (fault !== undefined) this.#struck.push(`${fault.kind} at ${place} ${count}${sql === '' ? '' : `: ${sql}`}`);
    return fault?.kind;
  }
}

/** At the connection, because BEGIN, COMMIT and the statements of hot paths pass knex by. */
function faultsOfFile(client: Client, faults: Faults, databaseNow: () => number): void {
  const acquireRaw = client.acquireRawConnection.bind(client);
  client.acquireRawConnection = async () => {
    const connection = await acquireRaw();
    connection.function?.('julianday', { varargs: true }, () => JULIAN_1970 + databaseNow() / DAY_MS);
    const prepare = connection.prepare?.bind(connection);
    if (prepare === undefined) throw new Error('the driver of a file prepares statements');
    const known = new Map<string, Statement>();
    connection.prepare = (sql) => {
      const before = known.get(sql);
      if (before !== undefined) return before;
      const statement = prepare(sql);
      const struck =
        (method: 'all' | 'run') =>
        (...values: readonly unknown[]): unknown => {
          const kind = faults.strike(placeOf(sql), sql.slice(0, SQL_SHOWN));
          if (kind === undefined) return statement[method](...values);
          if (kind === 'lost_after') statement[method](...values);
          throw driverError(kind, 'sqlite');
        };
      // knex would prepare each of its texts anew, which took a third of the time of a history.
      const faulty = { reader: statement.reader, all: struck('all'), run: struck('run') };
      known.set(sql, faulty);
      return faulty;
    };
    return connection;
  };
}

function faultsOfServer(client: Client, faults: Faults): void {
  const query = client._query.bind(client);
  client._query = async (connection, statement) => {
    const kind = faults.strike(placeOf(statement.sql), statement.sql.slice(0, SQL_SHOWN));
    if (kind === undefined) return query(connection, statement);
    if (kind === 'lost_after') await query(connection, statement);
    if (kind === 'lost_before' || kind === 'lost_after') connection.destroy?.();
    if (kind === 'deadlock') await query(connection, { ...statement, ...ROLLBACK });
    throw driverError(kind, 'mariadb');
  };
}

/** The julian day of the first instant of 1970. */
const JULIAN_1970 = 2_440_587.5;
const ROLLBACK = { sql: 'ROLLBACK', bindings: [] };

function placeOf(sql: string): Place {
  if (/^(BEGIN|START TRANSACTION)/.test(sql)) return 'begin';
  if (sql === 'COMMIT') return 'commit';
  return sql === 'ROLLBACK' ? 'rollback' : 'statement';
}

const CODES: Readonly<Record<Kind, Readonly<Record<Dialect, string>>>> = {
  refused: { mariadb: 'ECONNREFUSED', sqlite: 'SQLITE_CANTOPEN' },
  deadlock: { mariadb: 'ER_LOCK_DEADLOCK', sqlite: 'SQLITE_BUSY' },
  lock_timeout: { mariadb: 'ER_LOCK_WAIT_TIMEOUT', sqlite: 'SQLITE_BUSY_SNAPSHOT' },
  full: { mariadb: 'ER_RECORD_FILE_FULL', sqlite: 'SQLITE_FULL' },
  lost_before: { mariadb: 'PROTOCOL_CONNECTION_LOST', sqlite: 'ECONNRESET' },
  lost_after: { mariadb: 'PROTOCOL_CONNECTION_LOST', sqlite: 'ECONNRESET' },
};

function driverError(kind: Kind, dialect: Dialect): Error {
  return Object.assign(new Error(`injected: ${kind}`), { code: CODES[kind][dialect] });
}
