import type { Knex } from 'knex';
import { searchWordsOf } from '../kernel';
import type { Logger } from '../logging';
import { type ColumnType, type TableColumns, tableColumns } from './columns';
import { type CopyRows, copyRows, type TableQuery } from './copy-rows';
import { type DeriveRows, deriveRows } from './derive-rows';
import { type FillColumn, fillColumn } from './fill-column';
import type { RawConnection } from './raw';
import { createRowGuards, dropRowGuards, type RowGuards, type RunStatement } from './row-guards';
import { type Dialect, rowsOf } from './session';

/**
 * The suffix of a table whose keys are not complete. An interrupted run leaves such a table, and the next run drops it.
 */
const UNFINISHED = '_unfinished';

/**
 * The tools of a migration. They are passed as an argument, so that a migration imports nothing from the program. Each
 * tool is repeatable: an interrupted migration runs again from its start.
 */
export interface MigrationTools {
  /** Creates a table with all of its keys, unless it exists. Name every key. */
  createTable(name: string, define: (columns: TableColumns) => void): Promise<void>;
  /** Drops a table and its triggers, if it exists. */
  dropTable(name: string): Promise<void>;
  /** Renames a table, unless that has been done. Waits for the transactions that use it. */
  renameTable(name: string, newName: string): Promise<void>;
  /** Copies the missing rows; does nothing when `from` no longer exists. */
  copyRows(from: string, to: string, options: CopyRows): Promise<void>;
  /** Adds the rows that follow from those of another table, unless they exist. */
  deriveRows(from: string, to: string, options: DeriveRows): Promise<void>;
  /** Returns the words by which a person is found, as the program writes them. */
  readonly searchWordsOf: typeof searchWordsOf;
  /**
   * Adds a nullable column to a table, unless it has it. Existing rows, and rows of older versions of Millime, have
   * null in it.
   */
  addColumn(table: string, name: string, type: ColumnType): Promise<void>;
  /** Gives the rows that have null in a column a value that their other columns tell. */
  fillColumn(table: string, name: string, options: FillColumn): Promise<void>;
  /**
   * Adds an instant that the database computes from other columns of the row, unless the table has it. Rows of older
   * versions of Millime have it as well.
   */
  addComputedInstant(table: string, name: string, sql: string): Promise<void>;
  dropColumn(table: string, name: string): Promise<void>;
  /** Adds an index to an existing table, unless it has it. A server can use the table meanwhile. */
  addIndex(table: string, columns: readonly string[], name: string): Promise<void>;
  dropIndex(table: string, name: string): Promise<void>;
  /** Adds triggers that refuse UPDATE and DELETE, if the engine allows triggers. */
  appendOnly(table: string): Promise<void>;
  /** Replaces the triggers of a table by triggers that refuse only under a condition. */
  guardRows(table: string, guards: RowGuards): Promise<void>;
}

/** Creates the tools on the given connection, or on knex's own when its command line runs a migration. */
export function migrationTools(
  knex: Knex,
  dialect: Dialect,
  logger: Logger,
  connection?: RawConnection,
): MigrationTools {
  const { schema, query, statement } = statementsOn(knex, connection);
  return {
    async createTable(name, define) {
      if (await schema().hasTable(name)) return;
      if (dialect === 'sqlite') await schema().createTable(name, (table) => define(tableColumns(table, dialect)));
      else await createMariadbTable(schema, name, define);
    },
    async dropTable(name) {
      await schema().dropTableIfExists(name);
    },
    async renameTable(name, newName) {
      if (await schema().hasTable(name)) await schema().renameTable(name, newName);
    },
    async copyRows(from, to, options) {
      if (await schema().hasTable(from)) await copyRows(query, from, to, options);
    },
    deriveRows: (from, to, options) => deriveRows(query, from, to, options),
    searchWordsOf,
    async addColumn(table, name, type) {
      if (await schema().hasColumn(table, name)) return;
      await schema().alterTable(table, (t) => void tableColumns(t, dialect)[type](name));
    },
    fillColumn: (table, name, options) => fillColumn(query, table, name, options),
    async addComputedInstant(table, name, sql) {
      if (await hasColumn(query, dialect, table, name)) return;
      await statement(`alter table ?? add column ?? bigint generated always as (${sql}) virtual`, [table, name]);
    },
    async dropColumn(table, name) {
      // knex would copy the SQLite table and lose its triggers.
      if (await hasColumn(query, dialect, table, name)) await statement('alter table ?? drop column ??', [table, name]);
    },
    async addIndex(table, columns, name) {
      if (await hasIndex(query, dialect, table, name)) return;
      await schema().alterTable(table, (t) => void t.index([...columns], name));
    },
    async dropIndex(table, name) {
      if (!(await hasIndex(query, dialect, table, name))) return;
      await schema().alterTable(table, (t) => void t.dropIndex([], name));
    },
    async appendOnly(table) {
      await createRowGuards(statement, dialect, logger, table, {});
    },
    async guardRows(table, guards) {
      await dropRowGuards(statement, logger, table);
      await createRowGuards(statement, dialect, logger, table, guards);
    },
  };
}

/** The ways to run a statement of a migration. */
interface Statements {
  readonly schema: () => Knex.SchemaBuilder;
  readonly query: TableQuery;
  readonly statement: RunStatement;
}

function statementsOn(knex: Knex, connection: RawConnection | undefined): Statements {
  return {
    schema: () => (connection === undefined ? knex.schema : knex.schema.connection(connection)),
    query: (table) => (connection === undefined ? knex(table) : knex(table).connection(connection)),
    async statement(sql, names) {
      const raw = knex.raw(sql, names);
      await (connection === undefined ? raw : raw.connection(connection));
    },
  };
}

/**
 * Creates a table under a temporary name and renames it. Each key is a separate statement, which commits, and a table
 * with the final name must have all keys.
 */
async function createMariadbTable(
  schema: Statements['schema'],
  name: string,
  define: (columns: TableColumns) => void,
): Promise<void> {
  const unfinished = `${name}${UNFINISHED}`;
  await schema().dropTableIfExists(unfinished);
  await schema().createTable(unfinished, (table) => {
    table.engine('InnoDB');
    table.charset('utf8mb4');
    table.collate('utf8mb4_bin');
    define(tableColumns(table, 'mariadb'));
  });
  await schema().renameTable(unfinished, name);
}

/** Unlike the one of knex, it also finds computed columns of SQLite. */
async function hasColumn(query: TableQuery, dialect: Dialect, table: string, name: string): Promise<boolean> {
  const found =
    dialect === 'sqlite'
      ? query('sqlite_master')
          .where({ type: 'table', name: table })
          .whereRaw('exists (select 1 from pragma_table_xinfo(?) x where x.name = ?)', [table, name])
      : query('information_schema.columns')
          .whereRaw('table_schema = database()')
          .where({ table_name: table, column_name: name });
  return (await rowsOf(found.select('*').limit(1))).length > 0;
}

async function hasIndex(query: TableQuery, dialect: Dialect, table: string, name: string): Promise<boolean> {
  const found =
    dialect === 'sqlite'
      ? query('sqlite_master').where({ type: 'index', tbl_name: table, name })
      : query('information_schema.statistics')
          .whereRaw('table_schema = database()')
          .where({ table_name: table, index_name: name });
  return (await rowsOf(found.select('*').limit(1))).length > 0;
}
