import { column, databaseNow, insertRows, rowCodec, rowsOf, type Session } from '../../db';
import { assert, compareBytes, type Instant, pagesOf } from '../../kernel';
import type { PendingKeys } from '../pending/pending-keys';
import type { LoadState, PendingEntry, Statement, StatementFile, StatementLine } from '../statement-records';
import { allStatements, FILE, LINE, PENDING, PENDING_KEYS, selectStatements, STATEMENT } from '../statement-rows';

/** Of one insert: far below SQLite's limit of variables, and below a server's packet however long the texts are. */
const LINES_PER_INSERT = 500;
const INSERT_CHARACTERS_MAX = 2 * 1024 * 1024;
const ROWS_PER_STATEMENT = 1_000;
/** One transaction each, so that the leftover rows of a large file never hold a lock for long. */
const REMOVED_PER_TRANSACTION = 2_000;

/** The one import that is loading. */
export interface Load {
  readonly fileId: string;
  readonly fileName: string;
  readonly startedAt: Instant;
  /** By the database's clock: past it the import is taken for dead. */
  readonly leaseUntil: Instant;
  readonly expired: boolean;
}

export interface Repeat {
  readonly statementId: string;
  readonly position: number;
  readonly lineId: string;
}

export interface NewPending {
  readonly entry: PendingEntry;
  readonly keys: PendingKeys;
}

/** Writes and reads the rows of an import while they are invisible. */
export interface LoadingStore {
  current(): Promise<Load | undefined>;
  /** Takes the only slot. Fails with `duplicate_key` when another import has it, or the bytes are known. */
  begin(file: StatementFile, leaseMs: number): Promise<Instant>;
  insertStatements(statements: readonly Statement[]): Promise<void>;
  /** Gives the new end of the lease; undefined when the import was taken for dead meanwhile. */
  renew(load: { readonly fileId: string; readonly leaseUntil: Instant }, leaseMs: number): Promise<Instant | undefined>;
  insertChunk(fileId: string, position: number, content: Uint8Array): Promise<void>;
  insertLines(lines: readonly StatementLine[]): Promise<void>;
  insertRepeats(repeats: readonly Repeat[]): Promise<void>;
  insertPending(entries: readonly NewPending[]): Promise<void>;
  /** The lines that have one of these identities already, by identity. */
  linesByIdentity(identities: readonly string[]): Promise<Map<string, string>>;
  /** Statements of the same fingerprint, of other files. */
  sameStatements(statement: Statement): Promise<Statement[]>;
  /** Accounts of other statements that are one of these under another name: a Tunisian IBAN, and the RIB inside it. */
  namesOf(accounts: readonly string[]): Promise<string[]>;
  /** Whether any other statement has lines of the account on these days. */
  hasOtherLines(statement: Statement): Promise<boolean>;
  /** Ends the load. False when the import was taken for dead meanwhile. */
  finish(load: { readonly fileId: string; readonly leaseUntil: Instant }): Promise<boolean>;
  isFinished(fileId: string): Promise<boolean>;
  /** Claims the leftover rows of an import whose lease has ended; undefined when there are none, or it is alive. */
  claimLeftoverRows(fileId: string, leaseMs: number): Promise<Instant | undefined>;
  /** Removes some rows of a load; true when nothing is left of it. */
  removeSome(fileId: string): Promise<boolean>;
  setState(fileId: string, state: Exclude<LoadState, 'loading'>): Promise<void>;
}

const LOAD = rowCodec({
  fileId: column.text('file_id'),
  state: column.word('state', ['loading', 'imported', 'posted']),
  leaseUntil: column.number('lease_until'),
  startedAt: column.number('started_at'),
});
const FILE_NAME = rowCodec({ name: FILE.fields.name });
const ID = rowCodec({ id: LINE.fields.id });
const KNOWN_LINE = rowCodec({ id: LINE.fields.id, identity: LINE.fields.identity });
const ACCOUNT = rowCodec({ account: STATEMENT.fields.account });
const REPEAT = rowCodec({
  statementId: column.text('statement_id'),
  position: column.number('position'),
  lineId: column.text('line_id'),
});

export function openLoading(session: Session): LoadingStore {
  return {
    async current() {
      const [row] = await rowsOf(
        session('statement_loads as w')
          .join('statement_files as f', 'f.id', 'w.file_id')
          .select(...LOAD.columns('w'), FILE.column('name', 'f'))
          .where('w.slot', 1),
      );
      if (row === undefined) return undefined;
      const { fileId, startedAt, leaseUntil } = LOAD.read(row);
      const fileName = FILE_NAME.read(row).name;
      return { fileId, fileName, startedAt, leaseUntil, expired: leaseUntil <= (await databaseNow(session)) };
    },
    async begin(file, leaseMs) {
      const now = await databaseNow(session);
      const leaseUntil = now + leaseMs;
      await session('statement_files').insert(FILE.write(file));
      const load = LOAD.write({ fileId: file.id, state: 'loading', leaseUntil, startedAt: now });
      await session('statement_loads').insert({ ...load, slot: 1 });
      return leaseUntil;
    },
    async insertStatements(statements) {
      await insertRows(
        session,
        'bank_statements',
        statements.map((statement) => STATEMENT.write(statement)),
      );
    },
    async renew({ fileId, leaseUntil }, leaseMs) {
      // Two renewals in one millisecond are two: the end of the lease is also what tells one holder from the next.
      const next = Math.max((await databaseNow(session)) + leaseMs, leaseUntil + 1);
      const changed = await session('statement_loads')
        .where({ file_id: fileId, state: 'loading', lease_until: leaseUntil })
        .update({ lease_until: next });
      return changed === 1 ? next : undefined;
    },
    async insertChunk(fileId, position, content) {
      await session('statement_file_chunks').insert({ file_id: fileId, position, content });
    },
    async insertLines(lines) {
      for (const page of insertsOf(lines, ({ raw, details }) => raw.length + details.length * DETAIL_CHARACTERS)) {
        await insertRows(
          session,
          'bank_statement_lines',
          page.map((line) => LINE.write(line)),
        );
      }
    },
    async insertRepeats(repeats) {
      await insertRows(
        session,
        'statement_line_repeats',
        repeats.map((repeat) => REPEAT.write(repeat)),
      );
    },
    async insertPending(entries) {
      for (const page of insertsOf(entries, ({ entry }) => entry.raw.length)) {
        const rows = page.map(({ entry, keys }) => ({ ...PENDING.write(entry), ...PENDING_KEYS.write(keys) }));
        await insertRows(session, 'pending_entries', rows);
      }
    },
    async linesByIdentity(identities) {
      const found = new Map<string, string>();
      // In the order of the index: the server then reads each of its pages once.
      for (const page of pagesOf([...identities].sort(compareBytes), ROWS_PER_STATEMENT)) {
        const query = session('bank_statement_lines as l').select(KNOWN_LINE.columns('l')).whereIn('l.identity', page);
        for (const { id, identity } of await KNOWN_LINE.all(query)) found.set(identity, id);
      }
      return found;
    },
    async sameStatements({ account, fingerprint, fileId, verdict }) {
      const query = selectStatements(session)
        .where({ 's.account': account, 's.fingerprint': fingerprint })
        .whereNot('s.file_id', fileId)
        .orderBy('s.id');
      // One that proves itself is more than one with the same figures that does not.
      if (verdict === 'ok') void query.where('s.verdict', 'ok');
      return allStatements(query);
    },
    async namesOf(accounts) {
      const patterns = accounts.flatMap(otherName);
      if (patterns.length === 0) return [];
      const found = await ACCOUNT.all(
        session('bank_statements as s')
          .distinct('s.account')
          .where((either) => patterns.forEach((pattern) => void either.orWhere('s.account', 'like', pattern)))
          .orderBy('s.account'),
      );
      return found.map(({ account }) => account);
    },
    async hasOtherLines({ id, account, currency, firstDate, lastDate }) {
      if (firstDate === undefined || lastDate === undefined) return false;
      const [row] = await rowsOf(
        session('bank_statement_lines as l')
          .select('l.id')
          .where({ 'l.account': account, 'l.currency': currency })
          .whereBetween('l.booking_date', [firstDate, lastDate])
          .whereNot('l.statement_id', id)
          .limit(1),
      );
      return row !== undefined;
    },
    async finish({ fileId, leaseUntil }) {
      const changed = await session('statement_loads')
        .where({ file_id: fileId, state: 'loading', lease_until: leaseUntil })
        .update({ state: 'imported', slot: null });
      return changed === 1;
    },
    async isFinished(fileId) {
      const load = await LOAD.first(
        session('statement_loads as w').select(LOAD.columns('w')).where('w.file_id', fileId),
      );
      return load !== undefined && load.state !== 'loading';
    },
    async claimLeftoverRows(fileId, leaseMs) {
      const now = await databaseNow(session);
      const changed = await session('statement_loads')
        .where({ file_id: fileId, state: 'loading' })
        .where('lease_until', '<=', now)
        .update({ lease_until: now + leaseMs });
      return changed === 1 ? now + leaseMs : undefined;
    },
    async removeSome(fileId) {
      const statements = session('bank_statements').select('id').where('file_id', fileId);
      // Children before what they belong to; a table is gone through before the next is begun.
      if (await removeRepeats(session, statements.clone())) return false;
      if (await removeReplaced(session, 'pending_entries', 'pending_id', statements.clone())) return false;
      if (await removeReplaced(session, 'bank_statement_lines', 'line_id', statements.clone())) return false;
      await session('bank_statements').where('file_id', fileId).delete();
      await session('statement_file_chunks').where('file_id', fileId).delete();
      // The file last but one: its load says that it may go.
      await session('statement_loads').where('file_id', fileId).delete();
      await session('statement_files').where('id', fileId).delete();
      return true;
    },
    async setState(fileId, state) {
      const changed = await session('statement_loads').where('file_id', fileId).update({ state });
      assert(changed === 1, 'a file has its load');
    },
  };
}

const TUNISIAN_IBAN = /^TN\d{2}(\d{20})$/;
const RIB = /^\d{20}$/;

/** The pattern of the other name of an account, where it may have one. */
function otherName(account: string): string[] {
  const rib = TUNISIAN_IBAN.exec(account)?.[1];
  if (rib !== undefined) return [rib];
  return RIB.test(account) ? [`TN__${account}`] : [];
}

/** About what a transaction of a batch takes. */
const DETAIL_CHARACTERS = 500;

function* insertsOf<Row>(rows: readonly Row[], charactersOf: (row: Row) => number): Iterable<Row[]> {
  let page: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    page.push(row);
    characters += charactersOf(row);
    if (page.length < LINES_PER_INSERT && characters < INSERT_CHARACTERS_MAX) continue;
    yield page;
    page = [];
    characters = 0;
  }
  if (page.length > 0) yield page;
}

// By primary keys that were read first: MariaDB does not delete from a limited subquery on the same table.

/** False when there was nothing to remove. */
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

/** Rows and what ties an announced movement to them: the other side of it may be of a file that stays. */
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
