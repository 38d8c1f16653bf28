import { classifyDatabaseError } from './errors';

/**
 * How far a server can serve, best first.
 *
 * - `well`: accepts writes.
 * - `behind`: a cluster's member that accepts writes while it sends or receives a copy of the data, which may block them.
 * - `limited`: answers, and refuses writes or connections.
 * - `silent`: does not answer.
 * - `lost`: nothing listens, or its part of the cluster has no quorum. Nothing can be read or written.
 */
export type HostHealth = 'well' | 'behind' | 'limited' | 'silent' | 'lost';

/**
 * What to do with a connection.
 *
 * - `use`: it stays in the pool.
 * - `destroy`: it is closed, and its host is still used.
 * - `elsewhere`: it is closed, and the next one goes to another host if one is better.
 * - `ask`: the error alone does not decide; the health of its server does.
 */
export type Verdict = 'use' | 'destroy' | 'elsewhere' | 'ask';

const SYNCED = '4';

// A member that lost its cluster answers 1205 where the wait of wsrep_sync_wait ends, and so does a row's lock that was
// waited for. The others state that something is read-only: the server, or a transaction.
const AMBIGUOUS: readonly number[] = [1205, 1290, 1792, 1836];
const NOT_PREPARED = 1047;

const NOT_LISTENING: readonly string[] = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'];

/** Reads the health of a server from its settings and status, by the names that `SHOW` prints. Pure. */
export function healthOf(shown: ReadonlyMap<string, string>): HostHealth {
  if (shown.get('wsrep_on') === 'ON') {
    if (shown.get('wsrep_ready') !== 'ON' || shown.get('wsrep_cluster_status') !== 'Primary') return 'lost';
  }
  // A value other than OFF means not writable, whatever name later versions give it.
  if (shown.get('read_only') !== 'OFF' || shown.get('innodb_read_only') !== 'OFF') return 'limited';
  return shown.get('wsrep_on') === 'ON' && shown.get('wsrep_local_state') !== SYNCED ? 'behind' : 'well';
}

/** Returns the health of a server to which a new connection failed, or whose answer was an error. Pure. */
export function healthAfter(error: unknown): HostHealth {
  const { code, errno } = fieldsOf(error);
  if (code === 'ETIMEDOUT' || code === 'MILLIME_STATEMENT_DEADLINE') return 'silent';
  if (errno === NOT_PREPARED || NOT_LISTENING.includes(String(code))) return 'lost';
  return classifyDatabaseError(error) === 'lost' ? 'lost' : 'limited';
}

/**
 * Decides whether a connection is used, destroyed or replaced by one to another host: from the error of its last
 * statement (undefined if it succeeded), and from the health of its server, if known. It holds for reads and writes
 * alike. Pure.
 */
export function judgeConnection(error: unknown, health?: HostHealth): Verdict {
  const canWrite = health === undefined ? undefined : health === 'well' || health === 'behind';
  if (canWrite === false) return 'elsewhere';
  if (error === undefined) return 'use';
  const { errno, name } = fieldsOf(error);
  const kind = classifyDatabaseError(error);
  if (kind === 'lost') return 'destroy';
  if (kind === 'unusable') return name === 'KnexTimeoutError' ? 'use' : 'elsewhere'; // a busy pool is not the host's
  if (kind === undefined || typeof errno !== 'number' || !AMBIGUOUS.includes(errno)) return 'use';
  return canWrite === undefined ? 'ask' : 'use';
}

function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
}
