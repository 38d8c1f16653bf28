import { rowsOf, type Session } from '../db';
import { assert, businessDate, pagesOf, toMillimes, type BusinessDate, type Millimes } from '../kernel';
import type { PayoutCandidate, Statement, StatementFile, StatementLine } from './statement-records';
import {
  FILE_COLUMNS,
  fromFile,
  fromLine,
  fromStatement,
  LINE_COLUMNS,
  STATEMENT_COLUMNS,
  toFile,
  toLine,
  toPayoutCandidate,
  toStatement,
} from './statement-rows';

/** A line keeps its whole text, so few enough that one statement stays within a server's packet. */
const LINES_PER_INSERT = 100;
const LIST_MAX = 1_000;

/** The statements inside one transaction of the database. */
export interface StatementStore {
  fileBySha256(sha256: string): Promise<StatementFile | undefined>;
  originalChunks(fileId: string): Promise<Buffer[]>;
  ofFile(fileId: string): Promise<Statement[]>;
  /** The last link of an account's chain. */
  lastOf(account: string): Promise<Statement | undefined>;
  /** The newest files first, at most 1000 statements. */
  list(): Promise<{ statement: Statement; file: StatementFile }[]>;
  find(id: string): Promise<{ statement: Statement; file: StatementFile } | undefined>;
  lines(statementId: string): Promise<StatementLine[]>;

  /** Credits that may be payouts, booked up to and with a day, in the order of the bank. */
  payoutCandidates(request: { readonly through: BusinessDate }): Promise<PayoutCandidate[]>;
  /** The last day that the statements of each account cover. */
  coverage(): Promise<Map<string, BusinessDate>>;
  /** What each account holds by its last proven statement. */
  closingBalances(): Promise<Map<string, Millimes>>;

  insertFile(file: StatementFile, chunks: readonly Uint8Array[]): Promise<void>;
  insertStatement(statement: Statement, lines: readonly StatementLine[]): Promise<void>;
}

export function openStatements(session: Session): StatementStore {
  return {
    async fileBySha256(sha256) {
      const [row] = await rowsOf(session('statement_files as f').select(FILE_COLUMNS).where('f.sha256', sha256));
      return row && toFile(row);
    },
    async originalChunks(fileId) {
      const rows = await rowsOf(
        session('statement_file_chunks as c').select('c.content').where('c.file_id', fileId).orderBy('c.position'),
      );
      return rows.map(({ content }) => {
        assert(Buffer.isBuffer(content), 'a chunk of a file is bytes');
        return content;
      });
    },
    async ofFile(fileId) {
      const rows = await rowsOf(
        session('statements as s')
          .select(STATEMENT_COLUMNS)
          .where('s.file_id', fileId)
          .orderBy(['s.account', 's.sequence']),
      );
      return rows.map(toStatement);
    },
    async lastOf(account) {
      const [row] = await rowsOf(
        session('statements as s')
          .select(STATEMENT_COLUMNS)
          .where('s.account', account)
          .orderBy('s.sequence', 'desc')
          .limit(1),
      );
      return row && toStatement(row);
    },
    async list() {
      const rows = await rowsOf(
        session('statements as s').select(STATEMENT_COLUMNS).orderBy('s.id', 'desc').limit(LIST_MAX),
      );
      const statements = rows.map(toStatement);
      const files = await filesOf(session, statements);
      return statements.map((statement) => ({ statement, file: fileOf(files, statement) }));
    },
    async find(id) {
      const [row] = await rowsOf(session('statements as s').select(STATEMENT_COLUMNS).where('s.id', id));
      if (row === undefined) return undefined;
      const statement = toStatement(row);
      return { statement, file: fileOf(await filesOf(session, [statement]), statement) };
    },
    async lines(statementId) {
      const rows = await rowsOf(
        session('statement_lines as l').select(LINE_COLUMNS).where('l.statement_id', statementId).orderBy('l.position'),
      );
      return rows.map(toLine);
    },
    async payoutCandidates({ through }) {
      const rows = await rowsOf(
        session('statement_lines as l')
          .join('statements as s', 's.id', 'l.statement_id')
          .select(
            'l.id',
            'l.account',
            'l.booking_date',
            'l.value_date',
            'l.amount_millimes',
            'l.counterparty',
            'l.remittance',
          )
          .where('l.payout_candidate', 1)
          .where('l.booking_date', '<=', through)
          .orderBy(['l.booking_date', 's.sequence', 'l.position', 'l.account']),
      );
      return rows.map(toPayoutCandidate);
    },
    async coverage() {
      const rows = await rowsOf(
        session('statements as s')
          .select('s.account')
          .max('s.last_date as last_date')
          .whereNotNull('s.last_date')
          .groupBy('s.account')
          .orderBy('s.account'),
      );
      return new Map(rows.map((row) => [String(row['account']), businessDate(String(row['last_date']))]));
    },
    async closingBalances() {
      const last = session('statements').select('account').max('sequence as sequence').groupBy('account').as('last');
      const rows = await rowsOf(
        session('statements as s')
          .join(last, (on) => on.on('last.account', 's.account').andOn('last.sequence', 's.sequence'))
          .select('s.account', 's.closing_millimes')
          .orderBy('s.account'),
      );
      return new Map(rows.map((row) => [String(row['account']), toMillimes(row['closing_millimes'])]));
    },
    async insertFile(file, chunks) {
      await session('statement_files').insert(fromFile(file));
      for (const [position, content] of chunks.entries()) {
        await session('statement_file_chunks').insert({ file_id: file.id, position: position + 1, content });
      }
    },
    async insertStatement(statement, lines) {
      await session('statements').insert(fromStatement(statement));
      for (const page of pagesOf(lines, LINES_PER_INSERT)) await session('statement_lines').insert(page.map(fromLine));
    },
  };
}

async function filesOf(session: Session, statements: readonly Statement[]): Promise<Map<string, StatementFile>> {
  const ids = [...new Set(statements.map(({ fileId }) => fileId))];
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(session('statement_files as f').select(FILE_COLUMNS).whereIn('f.id', ids));
  return new Map(rows.map((row) => [String(row['id']), toFile(row)]));
}

function fileOf(files: ReadonlyMap<string, StatementFile>, { fileId }: Statement): StatementFile {
  const file = files.get(fileId);
  assert(file !== undefined, 'a statement has a file');
  return file;
}
