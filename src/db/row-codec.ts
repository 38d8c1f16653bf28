import { AssertionError, type BusinessDate, type Millimes, parseBusinessDate, toMillimes, toTotal } from '../kernel';
import { type Row, rowsOf } from './session';

/** One column of a table: its name, how a driver's value is read, and how a value is stored. */
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
  // The value stays out of the message: it may be a person's name or a secret.
  throw new AssertionError(
    `column ${name} holds a ${value === null ? 'null' : typeof value} that its codec does not read`,
  );
}

function readText(name: string, value: unknown): string {
  return typeof value === 'string' ? value : unexpected(name, value);
}

/** A driver may return a large number as text. */
function readNumber(name: string, value: unknown): number {
  const number = typeof value === 'number' ? value : typeof value === 'object' ? NaN : Number(value);
  return Number.isFinite(number) ? number : unexpected(name, value);
}

/** The kinds of columns, named as in `tableColumns`. Each reader refuses a value that the column cannot hold. */
export const column = {
  text: (name: string): Column<string> => stored(name, (value) => readText(name, value)),
  /** A count, an instant in UTC milliseconds, a position. */
  number: (name: string): Column<number> => stored(name, (value) => readNumber(name, value)),
  millimes: (name: string): Column<Millimes> => stored(name, toMillimes),
  /** A sum over rows, which may exceed a safe integer. */
  total: (name: string): Column<bigint> => stored(name, toTotal),
  businessDate: (name: string): Column<BusinessDate> =>
    stored(name, (value) => parseBusinessDate(readText(name, value)) ?? unexpected(name, value)),
  /** A flag, stored as 0 or 1. */
  flag: (name: string): Column<boolean> => ({
    name,
    read: (value) => readNumber(name, value) === 1,
    write: (value) => (value ? 1 : 0),
  }),
  /** A word from a closed list. */
  word: <const Word extends string>(name: string, words: readonly Word[]): Column<Word> =>
    stored(name, (value) => words.find((word) => word === value) ?? unexpected(name, value)),
  /** JSON that this program wrote; `decode` checks what an earlier version may have written otherwise. */
  json: <Value>(name: string, decode: (value: unknown) => Value): Column<Value> => ({
    name,
    read: (value) => decode(JSON.parse(readText(name, value))),
    write: (value) => JSON.stringify(value),
  }),
  bytes: (name: string): Column<Buffer> =>
    stored(name, (value) => (Buffer.isBuffer(value) ? value : unexpected(name, value))),
  /** A column that may be empty: null in rows, undefined inside. */
  optional: <Value>({ name, read, write }: Column<Value>): Column<Value | undefined> => ({
    name,
    read: (value) => (value === null ? undefined : read(value)),
    write: (value) => (value === undefined ? null : write(value)),
  }),
} as const;

type Columns = Readonly<Record<string, Column<unknown>>>;

/** What a codec reads: the fields of its columns. */
export type Decoded<Codec> = Codec extends RowCodec<infer Fields> ? Values<Fields> : never;

type Values<Fields extends Columns> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

type ValueOf<Source> = Source extends Column<infer Value> ? Value : never;

export interface RowCodec<Fields extends Columns> {
  readonly fields: Fields;
  /** The names for a select list, `alias.column`; without an alias the bare names. */
  columns(alias?: string): string[];
  /** The column of a field, for a condition or an order: `codec.column('agentId', 'a')` is `a.agent_id`. */
  column(field: keyof Fields & string, alias?: string): string;
  read(row: Row): Values<Fields>;
  /** Runs a SELECT that returns the columns, and reads each row. */
  all(query: PromiseLike<unknown>): Promise<Values<Fields>[]>;
  /** The same for the first row; undefined when there is none. */
  first(query: PromiseLike<unknown>): Promise<Values<Fields> | undefined>;
  /** The columns of the fields that `values` has; `undefined` stores null. */
  write(values: { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> | undefined }): Record<string, unknown>;
}

/**
 * The one place that knows how a table's rows become values and back: select list, reading and writing come from the same
 * columns, so a misspelt field is a compile error and a misspelt column fails the first query of its test.
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
