import type { Knex } from 'knex';
import { assert } from '../kernel';
import type { MariaDbClient } from './mariadb-client';
import type { RawConnection, Row } from './raw';
import {
  askFile,
  insertIntoFile,
  insertTexts,
  mayHaveRows,
  type NewRows,
  type Question,
  questionText,
} from './statements';

export type Dialect = 'sqlite' | 'mariadb';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- knex infers rows from table types; ours are read by codecs
type Query = Knex.QueryBuilder<any, Row[]>;

/** Runs a SELECT. The type of the result is unknown until a store's codec has read it. */
export async function rowsOf(query: PromiseLike<unknown>): Promise<Row[]> {
  return (await query) as Row[];
}

type Questions<Answers extends readonly unknown[]> = { readonly [Name in keyof Answers]: Question<Answers[Name]> };

/**
 * The only access to the tables: query builders bound to one connection, valid until its transaction ends.
 * `session('agents as a').where(…)` starts a query.
 */
export interface Session {
  (table: string): Query;
  readonly dialect: Dialect;
  /** Runs SQL that the builder cannot express. Pass values in `bindings`, never in the text. */
  raw(sql: string, bindings?: readonly (string | number | bigint | null)[]): Promise<Row[]>;
  /** Asks questions in their order, in one round trip. */
  ask<Answers extends readonly unknown[]>(questions: Questions<Answers>): Promise<Answers>;
  /** Inserts rows into several tables in their order, in one round trip. */
  insert(inserts: readonly NewRows[]): Promise<void>;
  /** Returns a fragment of SQL for a select list or an update. */
  fragment(sql: string, bindings?: readonly (string | number | null)[]): Knex.Raw;
}

/** Creates a session on a connection, and the function that ends it. */
export function openSession(
  pool: Knex,
  connection: RawConnection,
  dialect: Dialect,
): { session: Session; end: () => void } {
  let open = true;
  const checkOpen = (): void => assert(open, 'a query was made after its transaction had ended');
  const session = Object.assign(
    (table: string) => {
      checkOpen();
      return pool(table).connection(connection) as Query;
    },
    {
      dialect,
      async raw(sql: string, bindings: readonly (string | number | bigint | null)[] = []): Promise<Row[]> {
        checkOpen();
        const answer: unknown = await pool.raw(sql, bindings as Knex.RawBinding[]).connection(connection);
        if (dialect === 'sqlite') return Array.isArray(answer) ? (answer as Row[]) : [];
        const rows = (answer as unknown[])[0];
        return Array.isArray(rows) ? (rows as Row[]) : [];
      },
      async ask<Answers extends readonly unknown[]>(questions: Questions<Answers>): Promise<Answers> {
        checkOpen();
        const asked = questions.filter(mayHaveRows);
        const rows =
          dialect === 'sqlite'
            ? asked.map((question) => askFile(connection, question))
            : await serverOf(pool).together(
                connection,
                asked.map((question) => questionText(connection, question)),
              );
        const found = new Map(asked.map((question, index) => [question, rows[index] ?? []]));
        return questions.map((question) => question.read(found.get(question) ?? [])) as unknown as Answers;
      },
      async insert(inserts: readonly NewRows[]): Promise<void> {
        checkOpen();
        const wanted = inserts.filter(({ rows }) => rows.length > 0);
        if (dialect === 'sqlite') wanted.forEach((each) => insertIntoFile(connection, each));
        else {
          for (const texts of inPackets(wanted.flatMap((each) => insertTexts(connection, each)))) {
            await serverOf(pool).together(connection, texts);
          }
        }
      },
      fragment: (sql: string, bindings: readonly (string | number | null)[] = []) =>
        pool.raw(sql, bindings as Knex.RawBinding[]),
    },
  );
  return {
    session,
    end: () => {
      open = false;
    },
  };
}

function serverOf(pool: Knex): MariaDbClient {
  return pool.client as MariaDbClient;
}

/** Statements of one round trip have at most so many characters together, far below a server's packet. */
const PACKET_CHARACTERS_MAX = 1_000_000;

function inPackets(texts: readonly string[]): string[][] {
  const packets: string[][] = [];
  let left = 0;
  for (const text of texts) {
    left -= text.length;
    if (left >= 0) packets.at(-1)?.push(text);
    else {
      packets.push([text]);
      left = PACKET_CHARACTERS_MAX - text.length;
    }
  }
  return packets;
}
