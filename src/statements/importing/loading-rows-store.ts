import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../../db';
import { pagesOf } from '../../kernel';
import type { NewPending } from '../pending/pending-keys';
import type { Statement, StatementLine } from '../statement-records';
import { LINE, PENDING, PENDING_KEYS, STATEMENT } from '../statement-rows';

/** The limit on the text of one insert, because a server limits the packet. */
const INSERT_CHARACTERS_MAX = 2 * 1024 * 1024;
/** The approximate number of characters that a detail of a line adds to an insert. */
const DETAIL_CHARACTERS = 500;
/** A large file is removed in several transactions, so that none holds a lock for long. */
const REMOVED_PER_TRANSACTION = 2_000;

/** Writes the rows of an import while they are invisible, and removes those of a failed one. */
export interface LoadingRowsStore {
  insertStatements(statements: readonly Statement[]): Promise<void>;
  insertChunk(fileId: string, position: number, content: Uint8Array): Promise<void>;
  insertLines(lines: readonly StatementLine[]): Promise<void>;
  insertRepeats(repeats: readonly Repeat[]): Promise<void>;
  insertPending(entries: readonly NewPending[]): Promise<void>;
  /** Removes some rows of a file. Returns true after removing the last ones and the file. */
  removeSome(fileId: string): Promise<boolean>;
}

const REPEAT = rowCodec({
  statementId: column.text('statement_id'),
  position: column.number('position'),
  lineId: column.text('line_id'),
});

/** A line that another statement brought first. */
export type Repeat = Decoded<typeof REPEAT>;

export function openLoadingRows(session: Session): LoadingRowsStore {
  return {
    async insertStatements(statements) {
      await session.insert([
        { table: 'bank_statements', rows: statements.map((statement) => STATEMENT.write(statement)) },
      ]);
    },
    async insertChunk(fileId, position, content) {
      await session('statement_file_chunks').insert({ file_id: fileId, position, content });
    },
    async insertLines(lines) {
      for (const page of insertsOf(lines, ({ raw, details }) => raw.length + details.length * DETAIL_CHARACTERS)) {
        await session.insert([{ table: 'bank_statement_lines', rows: page.map((line) => LINE.write(line)) }]);
      }
    },
    async insertRepeats(repeats) {
      await session.insert([{ table: 'statement_line_repeats', rows: repeats.map((repeat) => REPEAT.write(repeat)) }]);
    },
    async insertPending(entries) {
      for (const page of insertsOf(entries, ({ entry }) => entry.raw.length)) {
        const rows = page.map(({ entry, keys }) => ({ ...PENDING.write(entry), ...PENDING_KEYS.write(keys) }));
        await session.insert([{ table: 'pending_entries', rows }]);
      }
    },
    async removeSome(fileId) {
      const statements = session('bank_statements').select('id').where('file_id', fileId);
      for (const removed of REMOVED) if (await removePage(session, removed, statements.clone())) return false;
      await session('bank_statements').where('file_id', fileId).delete();
      // The load is removed before its file, because it refers to the file.
      for (const table of ['statement_file_chunks', 'statement_loads']) {
        await session(table).where('file_id', fileId).delete();
      }
      await session('statement_files').where('id', fileId).delete();
      return true;
    },
  };
}

/** Splits rows into inserts, by number and by characters. */
function* insertsOf<Row>(rows: readonly Row[], charactersOf: (row: Row) => number): Iterable<Row[]> {
  let page: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    page.push(row);
    characters += charactersOf(row);
    if (page.length < ROWS_PER_STATEMENT && characters < INSERT_CHARACTERS_MAX) continue;
    yield page;
    page = [];
    characters = 0;
  }
  if (page.length > 0) yield page;
}

interface Removed {
  readonly table: string;
  readonly key: readonly string[];
  /** The column of `pending_replacements` that refers to a row. Its other side may belong to another file. */
  readonly replacement?: string;
}

/** Rows are removed before the rows that they refer to, one table after the other. */
const REMOVED: readonly Removed[] = [
  { table: 'statement_line_repeats', key: ['statement_id', 'position'] },
  { table: 'pending_entries', key: ['id'], replacement: 'pending_id' },
  { table: 'bank_statement_lines', key: ['id'], replacement: 'line_id' },
];

/**
 * Removes some rows of statements, with their replacements. Returns whether any were removed. It deletes by primary keys,
 * because MariaDB does not delete from a limited subquery on the same table.
 */
async function removePage(
  session: Session,
  { table, key, replacement }: Removed,
  statements: ReturnType<Session>,
): Promise<boolean> {
  const found = session(table)
    .select(...key)
    .whereIn('statement_id', statements)
    .limit(REMOVED_PER_TRANSACTION);
  const rows = await rowsOf(found);
  for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) {
    const keys = page.map((row) => key.map((name) => row[name] as string | number));
    if (replacement !== undefined) await session('pending_replacements').whereIn(replacement, keys.flat()).delete();
    await session(table)
      .whereIn([...key], keys)
      .delete();
  }
  return rows.length > 0;
}
