import { rowsOf, type Session } from '../db';
import { assert, businessDate, type BusinessDate, type Instant } from '../kernel';
import { isEffectiveLine, isEffectiveStatement } from './effective/effective-lines';
import type {
  LineOnStatement,
  ListedStatement,
  PayoutCandidate,
  PendingEntry,
  Statement,
  StatementFile,
} from './statement-records';
import {
  FILE_COLUMNS,
  LINE_COLUMNS,
  PENDING_COLUMNS,
  STATEMENT_COLUMNS,
  toAcceptance,
  toFile,
  toLine,
  toPayoutCandidate,
  toPending,
  toStatement,
} from './statement-rows';

/** A list is for people: it ends here, and says so. */
export const LISTED_MAX = 1_000;
/** The only currency of the books. */
export const POSTED_CURRENCY = 'TND';

export interface ListFilter {
  readonly account?: string | undefined;
  /** Only those that wait for acceptance. */
  readonly waiting?: boolean | undefined;
}

export interface CandidateRequest {
  readonly through: BusinessDate;
  /** Only lines of files that had been imported by then. */
  readonly importedUntil?: Instant | undefined;
}

/** The statements inside one transaction of the database: those of files that are wholly loaded, and no others. */
export interface StatementStore {
  fileBySha256(sha256: string): Promise<StatementFile | undefined>;
  originalChunks(fileId: string): Promise<Buffer[]>;
  /** In the order of the file. */
  ofFile(fileId: string): Promise<ListedStatement[]>;
  /** The newest files first, at most 1000 statements. */
  list(filter?: ListFilter): Promise<ListedStatement[]>;
  find(id: string): Promise<ListedStatement | undefined>;
  /** In the order of the statement: its own lines, and those that another had brought before. */
  lines(statementId: string, limit?: number): Promise<LineOnStatement[]>;
  /** What a statement only announces. */
  pendingOf(statementId: string): Promise<PendingEntry[]>;
  /** What is announced by the last report of each account that announces anything, and was not booked since. */
  pending(account?: string): Promise<PendingEntry[]>;
  /** The statements of an account that count and state both balances: the links of its chain. */
  chain(account: string, currency: string): Promise<Statement[]>;

  /** Credits that count and may be payouts, booked up to and with a day, in the order of the bank. */
  payoutCandidates(request: CandidateRequest): Promise<PayoutCandidate[]>;
  /** Debits that count, each of the amount and the account of a payout candidate that was booked no later. */
  possibleReturns(request: CandidateRequest): Promise<PayoutCandidate[]>;
  /** The last day that the statements of each account in dinars cover. */
  coverage(): Promise<Map<string, BusinessDate>>;
  /** The accounts with a line that counts and may be a payout. */
  accountsPaidInto(): Promise<Set<string>>;
}

export function openStatements(session: Session): StatementStore {
  return {
    async fileBySha256(sha256) {
      const [row] = await rowsOf(
        session('statement_files as f')
          .join('statement_loads as w', 'w.file_id', 'f.id')
          .select(FILE_COLUMNS)
          .where('f.sha256', sha256)
          .whereNot('w.state', 'loading'),
      );
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
      const rows = await rowsOf(listed(session).where('s.file_id', fileId).orderBy('s.position'));
      return withFiles(session, rows);
    },
    async list({ account, waiting = false } = {}) {
      const query = listed(session).orderBy('s.id', 'desc').limit(LISTED_MAX);
      if (account !== undefined) void query.where('s.account', account);
      if (waiting) void query.whereNot('s.kind', 'interim').whereRaw(`not ${isEffectiveStatement('s')}`);
      return withFiles(session, await rowsOf(query));
    },
    async find(id) {
      const [found] = await withFiles(session, await rowsOf(listed(session).where('s.id', id)));
      return found;
    },
    async lines(statementId, limit) {
      const own = session('bank_statement_lines as l')
        .select(...LINE_COLUMNS, session.fragment('l.position as place'), session.fragment('0 as known'))
        .where('l.statement_id', statementId)
        .orderBy('l.position');
      const known = session('statement_line_repeats as r')
        .join('bank_statement_lines as l', 'l.id', 'r.line_id')
        .select(...LINE_COLUMNS, session.fragment('r.position as place'), session.fragment('1 as known'))
        .where('r.statement_id', statementId)
        .orderBy('r.position');
      const rows = [
        ...(await rowsOf(limit === undefined ? own : own.limit(limit))),
        ...(await rowsOf(limit === undefined ? known : known.limit(limit))),
      ];
      return rows
        .map((row) => ({ line: toLine(row), position: Number(row['place']), known: Number(row['known']) === 1 }))
        .sort((a, b) => a.position - b.position)
        .slice(0, limit);
    },
    async pendingOf(statementId) {
      const rows = await rowsOf(
        session('pending_entries as p')
          .select(PENDING_COLUMNS)
          .where('p.statement_id', statementId)
          .orderBy('p.position'),
      );
      return rows.map(toPending);
    },
    async pending(account) {
      const last = visible(session)
        .select('s.account', 's.currency')
        .max('s.id as id')
        .where('s.pending_entries', '>', 0)
        .groupBy('s.account', 's.currency')
        .as('last');
      const query = session('pending_entries as p')
        .join(last, 'last.id', 'p.statement_id')
        .select(PENDING_COLUMNS)
        .whereRaw(`not ${REPLACED}`)
        .orderBy(['p.account', 'p.position'])
        .limit(LISTED_MAX);
      return (await rowsOf(account === undefined ? query : query.where('p.account', account))).map(toPending);
    },
    async chain(account, currency) {
      const rows = await rowsOf(
        session('bank_statements as s')
          .leftJoin('statement_holds as h', 'h.statement_id', 's.id')
          .select(...STATEMENT_COLUMNS)
          .where({ 's.account': account, 's.currency': currency, 's.kind': 'statement' })
          .whereNotNull('s.opening_minor')
          .whereNotNull('s.closing_minor')
          .whereRaw(isEffectiveStatement('s')),
      );
      return rows.map(toStatement);
    },
    async payoutCandidates(request) {
      const rows = await rowsOf(candidates(session, request).where('l.payout_candidate', 1));
      return rows.map(toPayoutCandidate);
    },
    async possibleReturns(request) {
      const rows = await rowsOf(
        candidates(session, request)
          .where('l.amount_minor', '<', 0)
          .join(creditsByAmount(session), (on) =>
            on.on('c.account', 'l.account').andOn('c.debit_minor', 'l.amount_minor'),
          )
          .whereRaw('c.booking_date <= l.booking_date'),
      );
      return rows.map(toPayoutCandidate);
    },
    async coverage() {
      const rows = await rowsOf(
        session('bank_statements as s')
          .select('s.account', session.fragment(COVERED_TO))
          .where('s.currency', POSTED_CURRENCY)
          .whereRaw(isEffectiveStatement('s'))
          .groupBy('s.account')
          .orderBy('s.account'),
      );
      return new Map(
        rows
          .filter((row) => row['last_date'] !== null)
          .map((row) => [String(row['account']), businessDate(String(row['last_date']))]),
      );
    },
    async accountsPaidInto() {
      const rows = await rowsOf(
        session('bank_statement_lines as l')
          .distinct('l.account')
          .where({ 'l.payout_candidate': 1, 'l.currency': POSTED_CURRENCY })
          .whereRaw(isEffectiveLine('l')),
      );
      return new Set(rows.map((row) => String(row['account'])));
    },
  };
}

/** The day of the closing balance: a line may be dated after it, and after the last line there may be quiet days. */
const COVERED_TO = 'max(coalesce(s.through_date, s.last_date)) as last_date';

type Query = ReturnType<Session>;

/** The entry `p` was booked, by a line of a file that is wholly loaded. */
const REPLACED =
  `exists (select 1 from pending_replacements b join bank_statement_lines n on n.id = b.line_id` +
  ` join bank_statements o on o.id = n.statement_id join statement_loads w on w.file_id = o.file_id` +
  ` where b.pending_id = p.id and w.state <> 'loading')`;

function candidates(session: Session, { through, importedUntil }: CandidateRequest): Query {
  const query = session('bank_statement_lines as l')
    .join('bank_statements as s', 's.id', 'l.statement_id')
    .join('statement_files as f', 'f.id', 's.file_id')
    .select('l.id', 'l.account', 'l.booking_date', 'l.value_date', 'l.amount_minor', 'l.counterparty', 'l.remittance')
    .select('f.imported_at')
    .where('l.booking_date', '<=', through)
    .where('l.currency', POSTED_CURRENCY)
    .whereRaw(isEffectiveLine('l'))
    .orderBy(['l.booking_date', 'l.statement_id', 'l.position', 'l.account']);
  return importedUntil === undefined ? query : query.where('f.imported_at', '<=', importedUntil);
}

/** Each amount that an account was credited with by what may be a payout, as a debit of it would be, and since when. */
function creditsByAmount(session: Session): Query {
  return session('bank_statement_lines as p')
    .select('p.account', session.fragment('-p.amount_minor as debit_minor'))
    .min('p.booking_date as booking_date')
    .where({ 'p.payout_candidate': 1, 'p.currency': POSTED_CURRENCY })
    .groupBy('p.account', 'p.amount_minor')
    .as('c');
}

function visible(session: Session): Query {
  return session('bank_statements as s')
    .join('statement_loads as w', 'w.file_id', 's.file_id')
    .whereNot('w.state', 'loading');
}

function listed(session: Session): Query {
  return visible(session)
    .leftJoin('statement_acceptances as c', 'c.statement_id', 's.id')
    .leftJoin('statement_holds as h', 'h.statement_id', 's.id')
    .select(
      ...STATEMENT_COLUMNS,
      'c.accepted_at',
      'c.accepted_by',
      'c.reason',
      session.fragment('(select count(*) from statement_line_repeats r where r.statement_id = s.id) as known_entries'),
    );
}

async function withFiles(session: Session, rows: Awaited<ReturnType<typeof rowsOf>>): Promise<ListedStatement[]> {
  const ids = [...new Set(rows.map((row) => String(row['file_id'])))];
  if (ids.length === 0) return [];
  const fileRows = await rowsOf(session('statement_files as f').select(FILE_COLUMNS).whereIn('f.id', ids));
  const files = new Map(fileRows.map((row) => [String(row['id']), toFile(row)]));
  return rows.map((row) => {
    const file = files.get(String(row['file_id']));
    assert(file !== undefined, 'a statement has a file');
    return {
      statement: toStatement(row),
      file,
      acceptance: toAcceptance(row),
      knownEntries: Number(row['known_entries']),
    };
  });
}
