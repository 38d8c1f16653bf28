import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../../db';
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

const ID = rowCodec({ id: LINE.fields.id });
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
      // Rows are removed before the rows that they refer to, one table after the other.
      if (await removeRepeats(session, statements.clone())) return false;
      if (await removeReplaced(session, 'pending_entries', 'pending_id', statements.clone())) return false;
      if (await removeReplaced(session, 'bank_statement_lines', 'line_id', statements.clone())) return false;
      await session('bank_statements').where('file_id', fileId).delete();
      await session('statement_file_chunks').where('file_id', fileId).delete();
      // The load is removed before its file, because it refers to the file.
      await session('statement_loads').where('file_id', fileId).delete();
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

// Deletes by primary keys, because MariaDB does not delete from a limited subquery on the same table.

/** Removes repeats. Returns whether any were removed. */
async function removeRepeats(session: Session, statements: ReturnType<Session>): Promise<boolean> {
  const repeats = await REPEAT.all(
    session('statement_line_repeats')
      .select(REPEAT.columns())
      .whereIn('statement_id', statements)
      .limit(REMOVED_PER_TRANSACTION),
  );
  for (const page of pagesOf(repeats, ROWS_PER_STATEMENT)) {
    const keys = page.map(({ statementId, position }) => [statementId, position]);
    await session('statement_line_repeats').whereIn(['statement_id', 'position'], keys).delete();
  }
  return repeats.length > 0;
}

/**
 * Removes rows with their replacements, whose other side may belong to another file. Returns whether any were removed.
 */
async function removeReplaced(
  session: Session,
  table: 'pending_entries' | 'bank_statement_lines',
  key: 'pending_id' | 'line_id',
  statements: ReturnType<Session>,
): Promise<boolean> {
  const rows = await ID.all(
    session(table).select(ID.columns()).whereIn('statement_id', statements).limit(REMOVED_PER_TRANSACTION),
  );
  for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) {
    const ids = page.map(({ id }) => id);
    await session('pending_replacements').whereIn(key, ids).delete();
    await session(table).whereIn('id', ids).delete();
  }
  return rows.length > 0;
}
