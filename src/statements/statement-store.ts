import { column, rowCodec, rowsOf, type Session } from '../db';
import { assert, type BusinessDate } from '../kernel';
import { openAccounts } from './account-store';
import { type CandidateStore, openCandidates } from './candidate-store';
import { isEffectiveStatement, isWaitingStatement } from './effective-lines';
import { PAYOUT_FLAG } from './payout-mark-store';
import type { LineOnStatement, ListedStatement, PendingEntry, Statement, StatementFile } from './statement-records';
import {
  ACCEPTANCE,
  EXCLUSION,
  FILE,
  HELD_STATEMENT,
  LINE,
  onlyVisible,
  PENDING,
  selectStatements,
  STATEMENT,
} from './statement-rows';

/** A high limit: a person decides about a few waiting statements a month. */
const WAITING_MAX = 1_000;

/** Reads the statements of fully loaded files inside one transaction of the database. */
export interface StatementStore extends CandidateStore {
  fileBySha256(sha256: string): Promise<StatementFile | undefined>;
  originalChunks(fileId: string): Promise<Buffer[]>;
  /** Returns the statements of a file, in its order. */
  ofFile(fileId: string): Promise<ListedStatement[]>;
  /** Returns the waiting statements in a currency whose first day is this one or earlier, newest first. */
  waitingBy(currency: string, beginsBy: BusinessDate): Promise<ListedStatement[]>;
  find(id: string): Promise<ListedStatement | undefined>;
  /** Returns these statements in any order. */
  byIds(ids: readonly string[]): Promise<ListedStatement[]>;
  /**
   * Returns lines in the order of the statement: its own, and those that another statement brought first.
   *
   * @param after The position behind which they begin.
   */
  lines(statementId: string, limit?: number, after?: number): Promise<LineOnStatement[]>;
  /** Returns the entries that a statement announces. */
  pendingOf(statementId: string): Promise<PendingEntry[]>;
  /** Returns the effective statements of an account that state both balances. */
  chain(account: string, currency: string): Promise<Statement[]>;
}

/** Columns that only some queries have. */
const CHUNK = rowCodec({ content: column.bytes('content') });
const PLACE = rowCodec({ position: column.number('place'), known: column.flag('known') });
const PAYOUT = rowCodec({ payoutCandidate: column.flag('is_payout') });
const FILE_ID = rowCodec({ fileId: STATEMENT.fields.fileId });
const LISTED = rowCodec({
  acceptedId: column.optional(ACCEPTANCE.fields.statementId),
  isWaiting: column.flag('is_waiting'),
  knownEntries: column.number('known_entries'),
});
const EXCLUDED = rowCodec({
  excludedAt: EXCLUSION.fields.excludedAt,
  excludedBy: EXCLUSION.fields.excludedBy,
  // An acceptance of the same row has a reason, too.
  reason: column.text('exclusion_reason'),
});

export function openStatements(session: Session): StatementStore {
  return {
    ...openCandidates(session),
    fileBySha256: (sha256) =>
      FILE.first(
        session('statement_files as f')
          .join('statement_loads as w', 'w.file_id', 'f.id')
          .select(FILE.columns('f'))
          .where('f.sha256', sha256)
          .whereNot('w.state', 'loading'),
      ),
    async originalChunks(fileId) {
      const chunks = await CHUNK.all(
        session('statement_file_chunks as c')
          .select(CHUNK.columns('c'))
          .where('c.file_id', fileId)
          .orderBy('c.position'),
      );
      return chunks.map(({ content }) => content);
    },
    ofFile: (fileId) => withFiles(session, listed(session).where('s.file_id', fileId).orderBy('s.position')),
    waitingBy: (currency, beginsBy) =>
      withFiles(
        session,
        listed(session)
          .whereRaw(isWaitingStatement('s'))
          .where('s.currency', currency)
          .whereRaw('coalesce(s.first_date, s.from_date, s.through_date) <= ?', [beginsBy])
          .orderBy('s.id', 'desc')
          .limit(WAITING_MAX),
      ),
    async find(id) {
      const [found] = await withFiles(session, listed(session).where('s.id', id));
      return found;
    },
    byIds: async (ids) => (ids.length === 0 ? [] : withFiles(session, listed(session).whereIn('s.id', [...ids]))),
    lines: (statementId, limit, after) => linesOf(session, statementId, limit, after),
    pendingOf: (statementId) =>
      PENDING.all(
        session('pending_entries as p')
          .select(PENDING.columns('p'))
          .where('p.statement_id', statementId)
          .orderBy('p.position'),
      ),
    chain: async (account, currency) =>
      HELD_STATEMENT.all(
        selectStatements(session)
          .where({ 's.currency': currency, 's.kind': 'statement' })
          .whereIn('s.account', await openAccounts(session).namesOf(account))
          .whereNotNull('s.opening_minor')
          .whereNotNull('s.closing_minor')
          .whereRaw(isEffectiveStatement('s')),
      ),
  };
}

type Query = ReturnType<Session>;

async function linesOf(
  session: Session,
  statementId: string,
  limit: number | undefined,
  after: number | undefined,
): Promise<LineOnStatement[]> {
  // People may have decided otherwise than the pattern of the import.
  const isPayout = session.fragment(PAYOUT_FLAG);
  const own = session('bank_statement_lines as l')
    .select(...LINE.columns('l'), session.fragment('l.position as place'), session.fragment('0 as known'), isPayout)
    .where('l.statement_id', statementId)
    .orderBy('l.position');
  const known = session('statement_line_repeats as r')
    .join('bank_statement_lines as l', 'l.id', 'r.line_id')
    .select(...LINE.columns('l'), session.fragment('r.position as place'), session.fragment('1 as known'), isPayout)
    .where('r.statement_id', statementId)
    .orderBy('r.position');
  if (after !== undefined) {
    void own.where('l.position', '>', after);
    void known.where('r.position', '>', after);
  }
  const rows = [
    ...(await rowsOf(limit === undefined ? own : own.limit(limit))),
    ...(await rowsOf(limit === undefined ? known : known.limit(limit))),
  ];
  return rows
    .map((row) => ({ line: { ...LINE.read(row), ...PAYOUT.read(row) }, ...PLACE.read(row) }))
    .sort((a, b) => a.position - b.position)
    .slice(0, limit);
}

/** Selects whether the statement `s` waits for a person. */
export const IS_WAITING = `case when ${isWaitingStatement('s')} then 1 else 0 end as is_waiting`;

function listed(session: Session): Query {
  return onlyVisible(selectStatements(session))
    .leftJoin('statement_acceptances as c', 'c.statement_id', 's.id')
    .leftJoin('statement_exclusions as e', 'e.statement_id', 's.id')
    .select(
      ...ACCEPTANCE.columns('c'),
      ...['e.excluded_at', 'e.excluded_by', 'e.reason as exclusion_reason'],
      session.fragment(IS_WAITING),
      session.fragment('(select count(*) from statement_line_repeats r where r.statement_id = s.id) as known_entries'),
    );
}

/** Runs a SELECT that `listed` started. */
async function withFiles(session: Session, query: Query): Promise<ListedStatement[]> {
  const rows = await rowsOf(query);
  const ids = [...new Set(rows.map((row) => FILE_ID.read(row).fileId))];
  if (ids.length === 0) return [];
  const found = await FILE.all(session('statement_files as f').select(FILE.columns('f')).whereIn('f.id', ids));
  const files = new Map(found.map((file) => [file.id, file]));
  return rows.map((row) => {
    const statement = HELD_STATEMENT.read(row);
    const file = files.get(statement.fileId);
    assert(file !== undefined, 'a statement has a file');
    const { acceptedId, isWaiting, knownEntries } = LISTED.read(row);
    const acceptance = acceptedId === undefined ? undefined : ACCEPTANCE.read(row);
    const exclusion = row['excluded_at'] === null ? undefined : { statementId: statement.id, ...EXCLUDED.read(row) };
    return { statement, file, acceptance, exclusion, isWaiting, knownEntries };
  });
}
