// The commands that back up and restore a database on a MariaDB server. They run the server's own tools, because these
// read and write the binary log, and because their users have rights that Millime's users must not have.
import { resolve } from 'node:path';
import type { DatabaseTls } from '../config';
import { shellQuoted } from '../kernel';

/** The database on its server, without user and password. */
export interface ServerDatabase {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly tls: DatabaseTls | undefined;
}

/**
 * Returns a shell script that dumps the database into a file of mode 0600, with the position in the binary log from
 * which later changes can be repeated. It reads user and password from the file that BACKUP_LOGIN names.
 */
export function dumpScript(server: ServerDatabase, path: string): string {
  const file = shellQuoted(path);
  const part = shellQuoted(`${path}.part`);
  const keys = shellQuoted(`${path}.keys`);
  return script(
    '# Run it with "sh -eu". BACKUP_LOGIN names a file of mode 0600 with the lines [client], user= and password=.',
    'umask 077',
    '# In a checkout without an installed command, npx runs the one of this folder, and never downloads another.',
    'command -v millime > /dev/null || millime() { npx --no -- millime "$@"; }',
    'millime --version > /dev/null',
    `if [ -e ${file} ]; then echo ${shellQuoted(`${path}: exists already; choose another name`)} >&2; exit 2; fi`,
    `mariadb-dump --defaults-extra-file="$BACKUP_LOGIN" ${address(server)} \\`,
    '  --single-transaction --quick --hex-blob --triggers --default-character-set=utf8mb4 --master-data=2 \\',
    `  ${shellQuoted(server.database)} > ${part}`,
    `sync ${part}`,
    `mv ${part} ${file}`,
    '# The keys of the tokens, encrypted. With --without-keys instead, copy SERVICE_JWT_KEYS_FILE yourself.',
    `millime backup ${keys} --keys-only`,
  );
}

/**
 * Returns a shell script that restores a dump into an empty database and repeats the changes of the binary logs up to
 * an instant. It reads user and password of an administrator from the file that RESTORE_LOGIN names.
 */
export function restoreScript(server: ServerDatabase, path: string, until: string | undefined): string {
  const file = shellQuoted(path);
  const name = server.database;
  const client = `mariadb --defaults-extra-file="$RESTORE_LOGIN" ${address(server)} --default-character-set=utf8mb4`;
  const tables = `select count(*) from information_schema.tables where table_schema = '${name}'`;
  const stop = until === undefined ? '' : ` --stop-datetime=${shellQuoted(until)}`;
  return script(
    '# Run it with "sh -eu". RESTORE_LOGIN names a file of mode 0600 with the lines [client], user= and password= of an',
    '# administrator. BINLOGS lists the binary logs of the lost server, in their order, from the one in the dump on; an',
    '# empty BINLOGS restores the dump alone.',
    'umask 077',
    `grep -q '^-- Dump completed' ${file} || { echo ${shellQuoted(`${path}: is not a whole dump`)} >&2; exit 2; }`,
    `[ "$(${client} -N -e ${shellQuoted(tables)})" = 0 ] || {`,
    `  echo ${shellQuoted(`${name}: has tables; nothing was restored`)} >&2; exit 2; }`,
    `${client} -e ${shellQuoted(`create database if not exists \`${name}\` character set utf8mb4`)}`,
    `${client} ${shellQuoted(name)} < ${file}`,
    'if [ -n "$BINLOGS" ]; then',
    `  POSITION=$(sed -n 's/^-- CHANGE MASTER TO .*MASTER_LOG_POS=\\([0-9]*\\).*/\\1/p' ${file} | head -n 1)`,
    `  TZ=UTC mariadb-binlog --database=${shellQuoted(name)} --start-position="$POSITION"${stop} $BINLOGS > ${shellQuoted(`${path}.later`)}`,
    `  ${client} < ${shellQuoted(`${path}.later`)}`,
    `  rm ${shellQuoted(`${path}.later`)}`,
    'fi',
  );
}

function address({ host, port, tls }: ServerDatabase): string {
  const tcp = `--protocol=tcp --host=${shellQuoted(host)} --port=${port}`;
  if (tls === undefined) return tcp;
  const authority = tls.caFile === undefined ? '' : ` --ssl-ca=${shellQuoted(resolve(tls.caFile))}`;
  return `${tcp} --ssl --ssl-verify-server-cert${authority}`;
}

function script(...lines: readonly string[]): string {
  return lines.join('\n');
}
