import type { Session } from './session';

/**
 * Starts a query on a table that a server must read by this index. For lists that go on from a key: MariaDB otherwise
 * reads all rows of an owner up to the key, when it takes the owner alone for the better condition.
 */
export function byIndex(session: Session, table: string, alias: string, index: string): ReturnType<Session> {
  const hint = session.dialect === 'mariadb' ? ` force index (${index})` : '';
  return session(table).from(session.fragment(`${table} as ${alias}${hint}`));
}
