import type { Database, Row } from '../../src/db';

// knex's own tables are none of our schema.
const KNEX_TABLE = /^schema_migrations(_lock)?$/;

/** The schema as SQL, in an order of its own, so that a migration shows what it changes. */
export async function dumpSchema(database: Database): Promise<string> {
  const statements = database.dialect === 'sqlite' ? await sqliteSchema(database) : await mariadbSchema(database);
  return statements.map((sql) => `${sql};\n`).join('\n');
}

/** The names of our tables. */
export async function tableNames(database: Database): Promise<string[]> {
  const rows = await database.read((session) =>
    database.dialect === 'sqlite'
      ? session.raw(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
      : session.raw('select table_name as name from information_schema.tables where table_schema = database()'),
  );
  return rows
    .map((row) => text(row, 'name'))
    .filter((name) => !KNEX_TABLE.test(name))
    .sort();
}

async function sqliteSchema(database: Database): Promise<string[]> {
  const rows = await database.read((session) =>
    session.raw(
      `select tbl_name, type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'
       order by tbl_name, case type when 'table' then 1 when 'index' then 2 else 3 end, name`,
    ),
  );
  return rows
    .filter((row) => !KNEX_TABLE.test(text(row, 'tbl_name')))
    .map((row) => (row['type'] === 'table' ? text(row, 'sql').replaceAll(', `', ',\n  `') : text(row, 'sql')));
}

async function mariadbSchema(database: Database): Promise<string[]> {
  const statements: string[] = [];
  for (const name of await tableNames(database)) {
    const [table] = await database.read((session) => session.raw('show create table ??', [name]));
    statements.push(text(table ?? {}, 'Create Table').replace(/ AUTO_INCREMENT=\d+/, ''));
    const triggers = await database.read((session) =>
      session.raw(
        `select trigger_name as name, action_timing as timing, event_manipulation as event, action_statement as body
         from information_schema.triggers where trigger_schema = database() and event_object_table = ?
         order by trigger_name`,
        [name],
      ),
    );
    for (const trigger of triggers) {
      const [title, timing, event, body] = ['name', 'timing', 'event', 'body'].map((key) => text(trigger, key));
      statements.push(`CREATE TRIGGER \`${title}\` ${timing} ${event} ON \`${name}\` FOR EACH ROW ${body}`);
    }
  }
  return statements;
}

function text(row: Row, key: string): string {
  return String(row[key]);
}
