import type { Database, Dialect } from '../../../../src/db';
import type { Random } from '../../../support/random';

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

/** The `nth` time that a step comes to such a place, or every time. */
export interface PlannedFault {
  readonly place: Place;
  readonly nth: number | 'every';
  readonly kind: Kind;
}

export interface InjectedFaults {
  /** From now on these strike, counted from now. */
  plan(faults: readonly PlannedFault[]): void;
  /** Those that have struck since the plan was made, for people. */
  struck(): readonly string[];
}

const KINDS: Readonly<Record<Place, readonly Kind[]>> = {
  acquire: ['refused'],
  begin: ['lost_before', 'lost_after'],
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
const FAULTS_MAX = 3;
const STATEMENTS_MAX = 20;
const TRIES_MAX = 3;
const STUBBORN_ONCE_IN = 60;
const SQL_SHOWN = 50;

/** Half of all steps are left in peace, most others meet one to three faults, and a few fail until all tries are used up. */
export function someFaults(random: Random): PlannedFault[] {
  if (random.onceIn(2)) return [];
  if (random.onceIn(STUBBORN_ONCE_IN)) return [{ place: 'commit', nth: 'every', kind: 'deadlock' }];
  return Array.from({ length: 1 + random.below(FAULTS_MAX) }, () => {
    const place = random.oneOf(PLACES);
    const nth = 1 + random.below(place === 'statement' ? STATEMENTS_MAX : TRIES_MAX);
    return { place, nth, kind: random.oneOf(KINDS[place]) };
  });
}

/** What knex's clients have in common, and the two drivers' connections. */
interface Client {
  _query(connection: Connection, query: { sql: string }): Promise<unknown>;
  acquireConnection(): Promise<Connection>;
}
interface Connection {
  destroy?: () => void;
}

/**
 * Lets faults strike between the program and the driver: below `transact`, which has to notice them, and below every
 * store. On MariaDB a broken connection really is broken. SQLite has none: there the error alone is made up.
 */
export function injectFaults(database: Database): InjectedFaults {
  const client = database.pool.client as Client;
  const query = client._query.bind(client);
  const acquire = client.acquireConnection.bind(client);
  let planned: readonly PlannedFault[] = [];
  let seen = new Map<Place, number>();
  let struck: string[] = [];
  const strike = (place: Place, sql: string): Kind | undefined => {
    const count = (seen.get(place) ?? 0) + 1;
    seen.set(place, count);
    const fault = planned.find(({ place: where, nth }) => where === place && (nth === 'every' || nth === count));
    if (fault !== undefined) struck.push(`${fault.kind} at ${place} ${count}${sql === '' ? '' : `: ${sql}`}`);
    return fault?.kind;
  };
  client.acquireConnection = async () => {
    if (strike('acquire', '') !== undefined) throw driverError('refused', database.dialect);
    return acquire();
  };
  client._query = async (connection, statement) => {
    const kind = strike(placeOf(statement.sql), statement.sql.slice(0, SQL_SHOWN));
    if (kind === undefined) return query(connection, statement);
    if (kind === 'lost_after') await query(connection, statement);
    if (kind === 'lost_before' || kind === 'lost_after') connection.destroy?.();
    if (kind === 'deadlock' && database.dialect === 'mariadb') await query(connection, { ...statement, ...ROLLBACK });
    throw driverError(kind, database.dialect);
  };
  return {
    plan(faults) {
      planned = faults;
      seen = new Map();
      struck = [];
    },
    struck: () => struck,
  };
}

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
