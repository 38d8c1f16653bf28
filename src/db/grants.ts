import { AppError } from '../kernel';
import { TABLE_RIGHTS } from './table-rights';

/** What a user of the database is for. */
export const GRANT_PURPOSES = ['runtime', 'migration', 'backup'] as const;
export type GrantPurpose = (typeof GRANT_PURPOSES)[number];

export interface GrantRequest {
  readonly purpose: GrantPurpose;
  readonly database: string;
  readonly user: string;
  readonly host: string;
}

/** What `migrate` needs: changes of tables, and the moves of rows. */
const MIGRATION_RIGHTS = 'select, insert, update, create, alter, drop, index, references, trigger';
/** What mariadb-dump needs for one consistent state; the server tells its position in the binary log to every user. */
const BACKUP_RIGHTS = 'select, trigger';

const NAME_CHARACTERS_MAX = 128;
const HOST_CHARACTERS_MAX = 255;
/** A backslash escapes or not, by a mode of the server; control characters have no place in a name. */
const UNUSABLE = /[\\\p{Cc}]/u;

/**
 * Returns the statements that grant a user of MariaDB the least rights for a purpose, without semicolons. Those of the
 * runtime user name every table, so the tables must exist.
 *
 * @throws AppError `bad_input` that names `user` or `host`.
 */
export function grantStatements({ purpose, database, user, host }: GrantRequest): string[] {
  const to = `to ${account('--user', user, NAME_CHARACTERS_MAX)}@${account('--host', host, HOST_CHARACTERS_MAX)}`;
  const everyTable = `${quoted(database.replace(/[_%]/g, '\\$&'))}.*`;
  switch (purpose) {
    case 'migration':
      return [`grant ${MIGRATION_RIGHTS} on ${everyTable} ${to}`];
    case 'backup':
      return [`grant ${BACKUP_RIGHTS} on ${everyTable} ${to}`];
    case 'runtime':
      return Object.entries(TABLE_RIGHTS)
        .filter(([, rights]) => rights.length > 0)
        .map(([table, rights]) => `grant ${rights.join(', ')} on ${quoted(database)}.${quoted(table)} ${to}`);
  }
}

/** Quotes a part of an account: a user or a host. */
function account(field: string, text: string, most: number): string {
  if (text !== '' && text.length <= most && !UNUSABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const expected = `1 to ${most} characters without backslash and control characters`;
  throw new AppError('bad_input', { field, expected, got: text });
}

function quoted(identifier: string): string {
  return `\`${identifier.replaceAll('`', '``')}\``;
}
