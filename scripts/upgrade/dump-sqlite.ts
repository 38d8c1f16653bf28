import { sqliteDriver } from '../../src/db';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/**
 * Returns a whole SQLite database as SQL: tables, their rows, then indexes and triggers, so that no trigger fires for
 * the rows.
 */
export function dumpSqlite(file: string): string {
  const db = new (sqliteDriver())(file, { readonly: true, fileMustExist: true });
  try {
    db.defaultSafeIntegers();
    const schema = db
      .prepare<[], SchemaRow>(`select type, name, sql from sqlite_master where sql is not null order by rowid`)
      .all()
      .filter(({ name }) => !name.startsWith('sqlite_'));
    const tables = schema.filter(({ type }) => type === 'table');
    const rows = tables.flatMap(({ name }) => {
      const read = db.prepare<[], unknown[]>(`select * from ${quoted(name)} order by rowid`).raw();
      return read.all().map((values) => `insert into ${quoted(name)} values (${values.map(literal).join(',')})`);
    });
    const others = schema.filter(({ type }) => type !== 'table');
    return [...tables.map(({ sql }) => sql), ...rows, ...others.map(({ sql }) => sql)]
      .map((statement) => `${statement};\n`)
      .join('');
  } finally {
    db.close();
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`;
  throw new Error(`no literal for a value of type ${typeof value}`);
}
