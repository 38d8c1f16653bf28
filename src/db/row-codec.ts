import { AssertionError, type BusinessDate, type Millimes, parseBusinessDate, toMillimes, toTotal } from '../kernel';
import type { Row } from './raw';
import { rowsOf } from './session';

/** One column of a table: its name, and how to read and write its values. */
export interface Column<Value> {
  readonly name: string;
  read(value: unknown): Value;
  write(value: Value): unknown;
}

const stored = <Value>(name: string, read: (value: unknown) => Value): Column<Value> => ({
  name,
  read,
  write: (value) => value,
});

function unexpected(name: string, value: unknown): never {
  // The message omits the value, which may be a person's name or a secret.
  throw new AssertionError(
    `column ${name} holds a ${value === null ? 'null' : typeof value} that its codec does not read`,
  );
}

function readText(name: string, value: unknown): string {
  return typeof value === 'string' ? value : unexpected(name, value);
}

/** Reads a number; a driver may return a large one as text. */
function readNumber(name: string, value: unknown): number {
  const number = typeof value === 'number' ? value : typeof value === 'object' ? NaN : Number(value);
  return Number.isFinite(number) ? number : unexpected(name, value);
}

/** The column types, named as in `tableColumns`. Each refuses to read a value that its column cannot contain. */
export const column = {
  text: (name: string): Column<string> => stored(name, (value) => readText(name, value)),
  /** A count, an instant in UTC milliseconds, or a position. */
  number: (name: string): Column<number> => stored(name, (value) => readNumber(name, value)),
  millimes: (name: string): Column<Millimes> => stored(name, toMillimes),
  /** A sum over rows, which may exceed a safe integer. */
  total: (name: string): Column<bigint> => stored(name, toTotal),
  businessDate: (name: string): Column<BusinessDate> =>
    stored(name, (value) => parseBusinessDate(readText(name, value)) ?? unexpected(name, value)),
  /** A number that is stored as the text that Millime prints, whose bytes a seal may cover. */
  printedNumber: (name: string): Column<number> => ({
    name,
    read: (value) => readNumber(name, value),
    write: String,
  }),
  /** A flag, stored as 0 or 1. */
  flag: (name: string): Column<boolean> => ({
    name,
    read: (value) => readNumber(name, value) === 1,
    write: (value) => (value ? 1 : 0),
  }),
  /** A word from a closed list. */
  word: <const Word extends string>(name: string, words: readonly Word[]): Column<Word> =>
    stored(name, (value) => words.find((word) => word === value) ?? unexpected(name, value)),
  /** JSON that Millime wrote; `decode` checks values that an earlier version may have written in another form. */
  json: <Value>(name: string, decode: (value: unknown) => Value): Column<Value> => ({
    name,
    read: (value) => decode(JSON.parse(readText(name, value))),
    write: (value) => JSON.stringify(value),
  }),
  bytes: (name: string): Column<Buffer> =>
    stored(name, (value) => (Buffer.isBuffer(value) ? value : unexpected(name, value))),
  /** A nullable column: null in rows, undefined in values. */
  optional: <Value>({ name, read, write }: Column<Value>): Column<Value | undefined> => ({
    name,
    read: (value) => (value === null ? undefined : read(value)),
    write: (value) => (value === undefined ? null : write(value)),
  }),
} as const;

type Columns = Readonly<Record<string, Column<unknown>>>;

/** The values that a codec reads, by field. */
export type Decoded<Codec> = Codec extends RowCodec<infer Fields> ? Values<Fields> : never;

type Values<Fields extends Columns> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

type ValueOf<Source> = Source extends Column<infer Value> ? Value : never;

export interface RowCodec<Fields extends Columns> {
  readonly fields: Fields;
  /** Returns the names for a select list, `alias.column`; without an alias only the names. */
  columns(alias?: string): string[];
  /** Returns the column of a field, for a condition or an order: `codec.column('agentId', 'a')` is `a.agent_id`. */
  column(field: keyof Fields & string, alias?: string): string;
  read(row: Row): Values<Fields>;
  /** Runs a SELECT that returns the columns, and reads each row. */
  all(query: PromiseLike<unknown>): Promise<Values<Fields>[]>;
  /** Runs a SELECT and reads its first row; undefined without a row. */
  first(query: PromiseLike<unknown>): Promise<Values<Fields> | undefined>;
  /** Returns the columns of the fields in `values`; `undefined` stores null. */
  write(values: { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> | undefined }): Record<string, unknown>;
}

/**
 * Creates the codec of a table, the only place that converts between its rows and values. Select list, reading and
 * writing use the same columns: a misspelled field is a compile error, and a misspelled column fails the first query of
 * its test.
 */
export function rowCodec<Fields extends Columns>(fields: Fields): RowCodec<Fields> {
  const entries = Object.entries(fields);
  const named = (name: string, alias: string | undefined): string => (alias === undefined ? name : `${alias}.${name}`);
  const read = (row: Row): Values<Fields> => {
    const values: Record<string, unknown> = {};
    for (const [field, source] of entries) values[field] = source.read(row[source.name]);
    return values as Values<Fields>;
  };
  return {
    fields,
    columns: (alias) => entries.map(([, { name }]) => named(name, alias)),
    column: (field, alias) => named((fields[field] as Column<unknown>).name, alias),
    read,
    all: async (query) => (await rowsOf(query)).map(read),
    async first(query) {
      const [row] = await rowsOf(query);
      return row === undefined ? undefined : read(row);
    },
    write(values) {
      const row: Record<string, unknown> = {};
      for (const [field, target] of entries) {
        if (Object.hasOwn(values, field)) row[target.name] = target.write(values[field]);
      }
      return row;
    },
  };
}
