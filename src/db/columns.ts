import type { Knex } from 'knex';
import type { Dialect } from './session';

const OUTSIDE_ID_LENGTH = 255;
// Enough for a prefix such as `service:` before the longest outside identifier.
const REFERENCE_LENGTH = 320;
const ULID_LENGTH = 26;
const SHA256_HEX_LENGTH = 64;
const CODE_LENGTH = 64;
const WORD_LENGTH = 64;

/**
 * The column types of a table, by their content. They mean the same on both databases. On SQLite, text never gets a
 * type with numeric affinity (004711 would become 4711), and numbers are checked to be integers.
 */
export interface TableColumns {
  /** An identifier from outside: compared byte by byte, at most 255 bytes. */
  outsideId(name: string): Knex.ColumnBuilder;
  /** A reference of Millime: a prefix and an outside identifier. */
  reference(name: string): Knex.ColumnBuilder;
  /** An id of Millime. */
  ulid(name: string): Knex.ColumnBuilder;
  /** A short word from a closed list: a status, a class, an answer. */
  code(name: string): Knex.ColumnBuilder;
  /** A word to search for by its beginning (`searchWordsOf`). */
  word(name: string): Knex.ColumnBuilder;
  digest(name: string): Knex.ColumnBuilder;
  millimes(name: string): Knex.ColumnBuilder;
  /** A UTC instant in milliseconds. */
  instant(name: string): Knex.ColumnBuilder;
  businessDate(name: string): Knex.ColumnBuilder;
  flag(name: string): Knex.ColumnBuilder;
  /** A count or a position. */
  count(name: string): Knex.ColumnBuilder;
  /** Text for people, such as a name. */
  text(name: string): Knex.ColumnBuilder;
  /** JSON or raw text of up to 16 MiB, read by a codec; never searched. */
  longText(name: string): Knex.ColumnBuilder;
  /** Bytes, up to 16 MiB. */
  bytes(name: string): Knex.ColumnBuilder;
  /** Primary key, unique keys, indexes, foreign keys: as in knex. */
  readonly keys: Pick<Knex.CreateTableBuilder, 'primary' | 'unique' | 'index' | 'foreign'>;
}

/** The names of the column types. */
export type ColumnType = Exclude<keyof TableColumns, 'keys'>;

const TEXT_ON_MARIADB = 'character set utf8mb4 collate utf8mb4_bin';

export function tableColumns(table: Knex.CreateTableBuilder, dialect: Dialect): TableColumns {
  const text = (name: string, length: number): Knex.ColumnBuilder =>
    table.specificType(name, dialect === 'sqlite' ? 'text' : `varchar(${length}) ${TEXT_ON_MARIADB}`);
  const fixed = (name: string, length: number): Knex.ColumnBuilder =>
    table.specificType(name, dialect === 'sqlite' ? 'text' : `char(${length}) ${TEXT_ON_MARIADB}`);
  const integer = (name: string, check = ''): Knex.ColumnBuilder =>
    table.specificType(
      name,
      dialect === 'sqlite' ? `bigint check (typeof("${name}") in ('integer', 'null')${check})` : 'bigint',
    );
  return {
    outsideId: (name) => text(name, OUTSIDE_ID_LENGTH),
    reference: (name) => text(name, REFERENCE_LENGTH),
    ulid: (name) => fixed(name, ULID_LENGTH),
    code: (name) => text(name, CODE_LENGTH),
    word: (name) => text(name, WORD_LENGTH),
    digest: (name) => fixed(name, SHA256_HEX_LENGTH),
    millimes: (name) => integer(name),
    instant: (name) => integer(name),
    businessDate: (name) => fixed(name, 10),
    flag: (name) => integer(name, ` and ("${name}" is null or "${name}" in (0, 1))`),
    count: (name) => integer(name),
    text: (name) => text(name, 1_000),
    longText: (name) => table.specificType(name, dialect === 'sqlite' ? 'text' : `mediumtext ${TEXT_ON_MARIADB}`),
    bytes: (name) => table.specificType(name, dialect === 'sqlite' ? 'blob' : 'mediumblob'),
    keys: table,
  };
}
