import { healthOf, type HostHealth } from './judge-connection';
import type { Row } from './raw';

/** Runs one statement on one connection to a server. */
export type ServerQuery = (sql: string, values: readonly string[]) => Promise<readonly Row[]>;

/**
 * Reads the health of a server from settings and status that every user may read. `SHOW` also answers on a member that
 * lost its cluster.
 */
export async function readServerHealth(query: ServerQuery): Promise<HostHealth> {
  const shown = await valuesOf(query, 'variables', ['read_only', 'innodb_read_only', 'wsrep_on']);
  if (shown.get('wsrep_on') === 'ON') {
    const names = ['wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state'];
    for (const [name, value] of await valuesOf(query, 'status', names)) shown.set(name, value);
  }
  return healthOf(shown);
}

/** Reads global variables or status of a server, by their names. Unknown names are left out. */
export async function valuesOf(
  query: ServerQuery,
  kind: 'variables' | 'status',
  names: readonly string[],
): Promise<Map<string, string>> {
  const places = names.map(() => '?').join(', ');
  const rows = await query(`show global ${kind} where variable_name in (${places})`, names);
  return new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]));
}
