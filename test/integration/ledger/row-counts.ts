import { type Database, rowsOf, type Session } from '../../../src/db';

// knex's own tables, and whose turn it was: no facts that a repetition must leave alone.
const NO_FACTS = /^(schema_migrations(_lock)?|exclusive_turns)$/;

export async function tablesOf(session: Session): Promise<string[]> {
  const rows = await session.raw(
    session.dialect === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"
      : 'select table_name as name from information_schema.tables where table_schema = database() order by table_name',
  );
  return rows.map((row) => String(row['name'])).filter((name) => !NO_FACTS.test(name));
}

/** How many rows every table has: equal before and after means that nothing was added or taken away. */
export function rowCounts(database: Database): Promise<Record<string, number>> {
  return database.read(async (session) => {
    const counts: Record<string, number> = {};
    for (const table of await tablesOf(session)) {
      const [row] = await rowsOf(session(table).count('* as n'));
      counts[table] = Number(row?.['n']);
    }
    return counts;
  });
}

/** Every row of every table but the names given, as text: equal means that nothing was changed either. */
export function contents(database: Database, ...except: readonly string[]): Promise<Record<string, string[]>> {
  return database.read(
    async (session) => {
      const found: Record<string, string[]> = {};
      for (const table of await tablesOf(session)) {
        if (except.includes(table)) continue;
        const rows = await rowsOf(session(table).select('*'));
        found[table] = rows.map((row) => JSON.stringify(row)).sort();
      }
      return found;
    },
    { snapshot: true },
  );
}
