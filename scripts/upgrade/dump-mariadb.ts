import { type Connection, escape, escapeId } from 'mysql2';
import { openConnection, run } from '../bench/bench-server';

type Row = Readonly<Record<string, string | number | Buffer | null>>;

/**
 * Returns a whole MariaDB database as SQL: tables, their rows, then triggers, so that no trigger fires for the rows.
 */
export async function dumpMariaDb(url: string): Promise<string> {
  const connection = await openConnection(url);
  try {
    const statements = ['set foreign_key_checks = 0'];
    const triggers: string[] = [];
    for (const name of await names(connection, 'show full tables', /^Tables_in_/)) {
      const [table] = await rowsOf(connection, `show create table ${escapeId(name)}`);
      statements.push(String(table?.['Create Table']));
      for (const row of await rowsOf(connection, `select * from ${escapeId(name)}`)) {
        // The text must fit the column again: numbers have no quotes, and bytes are hexadecimal.
        const values = Object.values(row).map((value) => escape(value));
        statements.push(`insert into ${escapeId(name)} values (${values.join(',')})`);
      }
    }
    for (const name of await names(connection, 'show triggers', /^Trigger$/)) {
      const [trigger] = await rowsOf(connection, `show create trigger ${escapeId(name)}`);
      // Without the user who created it.
      triggers.push(String(trigger?.['SQL Original Statement']).replace(/ DEFINER=\S+/, ''));
    }
    return [...statements, ...triggers, 'set foreign_key_checks = 1'].map((statement) => `${statement};\n`).join('');
  } finally {
    connection.end();
  }
}

async function rowsOf(connection: Connection, sql: string): Promise<readonly Row[]> {
  return (await run(connection, sql)) as readonly Row[];
}

async function names(connection: Connection, sql: string, column: RegExp): Promise<string[]> {
  const rows = await rowsOf(connection, sql);
  return rows.map((row) => String(Object.entries(row).find(([key]) => column.test(key))?.[1])).sort();
}
