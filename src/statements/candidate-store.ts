import { byIndex, column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type BusinessDate, compareBytes, type Instant, pagesOf } from '../kernel';
import { rootInSql } from './account-store';
import { isEffectiveLine, isEffectiveStatement, isOnEffectiveStatement } from './effective-lines';
import { isPayoutLine, type MarksRead } from './payout-mark-store';
import { openRepeatedLines } from './repeated-line-store';
import { type PayoutCandidate, POSTED_CURRENCY } from './statement-records';
import { FILE } from './statement-rows';

export interface CandidateRequest {
  readonly through: BusinessDate;
  /** Only this line (default: all). */
  readonly lineId?: string | undefined;
  /** Only lines of files imported by then. */
  readonly importedUntil?: Instant | undefined;
  /** Which decisions of people count (default: the last of each line). */
  readonly marks?: MarksRead | undefined;
  /** With the accounts as people had decided by then, and with lines that they found repeated since: for a replay. */
  readonly decidedUntil?: Instant | undefined;
}

/** Reads the effective lines that may be payouts, and the days that statements cover. */
export interface CandidateStore {
  /** Returns effective credits that may be payouts, booked through a day, in the order of the bank. */
  payoutCandidates(request: CandidateRequest): Promise<PayoutCandidate[]>;
  /**
   * Returns effective debits that may return a payout: each has the amount and the account of a candidate that was
   * booked on the same day or earlier.
   */
  possibleReturns(request: CandidateRequest): Promise<PayoutCandidate[]>;
  /** Returns lines in dinars by their ids, in the order of the bank, whether or not they are effective. */
  linesById(lineIds: readonly string[]): Promise<BankLine[]>;
  /** Returns the last day that effective statements in dinars cover, by account. */
  coverage(): Promise<Map<string, BusinessDate>>;
  /** Returns which of these lines repeat another one, so that they must not be matched, and locks their rows. */
  repeatedLines(lineIds: readonly string[]): Promise<Set<string>>;
  /** Returns the accounts with an effective line that may be a payout. */
  accountsPaidInto(): Promise<Set<string>>;
}

/** The account of a line, whichever of its names the line is stored under. */
const LINE_ROOT = `${rootInSql('l.account')} as root`;
const STATEMENT_ROOT = `${rootInSql('s.account')} as root`;
const COVERED = rowCodec({
  account: column.text('root'),
  lastDate: column.optional(column.businessDate('last_date')),
});
const ACCOUNT = rowCodec({ account: column.text('root') });
const CANDIDATE_LINE = {
  lineId: column.text('id'),
  bookingDate: column.businessDate('booking_date'),
  valueDate: column.optional(column.businessDate('value_date')),
  amount: column.millimes('amount_minor'),
  counterparty: column.text('counterparty'),
  remittance: column.text('remittance'),
} as const;
const CANDIDATE = rowCodec({ ...CANDIDATE_LINE, ...ACCOUNT.fields, importedAt: FILE.fields.importedAt });
const BANK_LINE = rowCodec({ ...CANDIDATE_LINE, ...ACCOUNT.fields });
/** One movement of a bank account, as the bank describes it. */
export type BankLine = Decoded<typeof BANK_LINE>;

export function openCandidates(session: Session): CandidateStore {
  return {
    payoutCandidates: (request) =>
      CANDIDATE.all(candidates(session, request).whereRaw(isPayoutLine('l', request.marks ?? 'last'))),
    possibleReturns: (request) =>
      CANDIDATE.all(
        candidates(session, request)
          .where('l.amount_minor', '<', 0)
          .join(creditsByAmount(session, request), (on) =>
            on
              .on('c.root', session.fragment(LINE_ROOT_THEN, decidedBy(request)))
              .andOn('c.debit_minor', 'l.amount_minor'),
          )
          .whereRaw('c.booking_date <= l.booking_date'),
      ),
    async linesById(lineIds) {
      const found: BankLine[] = [];
      for (const page of pagesOf([...new Set(lineIds)], ROWS_PER_STATEMENT)) {
        const lines = session('bank_statement_lines as l')
          .select(...rowCodec(CANDIDATE_LINE).columns('l'), session.fragment(LINE_ROOT))
          .where('l.currency', POSTED_CURRENCY)
          .whereIn('l.id', page);
        found.push(...(await BANK_LINE.all(lines)));
      }
      return found.sort((a, b) => compareBytes(`${a.bookingDate} ${a.lineId}`, `${b.bookingDate} ${b.lineId}`));
    },
    async coverage() {
      const covered = await COVERED.all(
        session('bank_statements as s')
          .select(session.fragment(STATEMENT_ROOT), session.fragment(COVERED_TO))
          .where('s.currency', POSTED_CURRENCY)
          .whereRaw(isEffectiveStatement('s'))
          .groupBy('root')
          .orderBy('root'),
      );
      const days = new Map<string, BusinessDate>();
      for (const { account, lastDate } of covered) if (lastDate !== undefined) days.set(account, lastDate);
      return days;
    },
    repeatedLines: (lineIds) => openRepeatedLines(session).repeated(lineIds),
    accountsPaidInto: () => accountsPaidInto(session),
  };
}

/**
 * Reads one line for each account that the gateway pays into, and the lines that people marked. A scan of all lines would
 * find the same.
 */
async function accountsPaidInto(session: Session): Promise<Set<string>> {
  const payouts = (lines: Query): Query =>
    lines
      .distinct(session.fragment(LINE_ROOT))
      .where('l.currency', POSTED_CURRENCY)
      .whereRaw(isPayoutLine('l', 'last'))
      .whereRaw(isEffectiveLine('l'));
  const roots = new Set<string>();
  const named = session('bank_statements as s').distinct('s.account as root').where('s.currency', POSTED_CURRENCY);
  for (const { account } of await ACCOUNT.all(named)) {
    const recognized = byIndex(session, 'bank_statement_lines', 'l', 'bank_statement_lines_account_payouts').where({
      'l.account': account,
      'l.payout_candidate': 1,
    });
    for (const found of await ACCOUNT.all(payouts(recognized).limit(1))) roots.add(found.account);
  }
  // SQLite keeps the order of a cross join; it would read all lines first.
  const marked = session('payout_marks as m').crossJoin('bank_statement_lines as l', 'l.id', 'm.line_id');
  for (const found of await ACCOUNT.all(payouts(marked.where('m.is_payout', 1)))) roots.add(found.account);
  return roots;
}

/** The day of the closing balance: a line may be dated after it, and days without lines may follow the last line. */
const COVERED_TO = 'max(coalesce(s.through_date, s.last_date)) as last_date';

type Query = ReturnType<Session>;

/** The account of a line as people had decided by an instant, which is bound. */
const LINE_ROOT_THEN = rootInSql('l.account', 'n.decided_at <= ?');
const LINE_ROOT_THEN_SELECTED = `${LINE_ROOT_THEN} as root`;
const CREDIT_ROOT_THEN_SELECTED = `${rootInSql('p.account', 'n.decided_at <= ?')} as root`;

function decidedBy({ decidedUntil = Number.MAX_SAFE_INTEGER }: CandidateRequest): [Instant] {
  return [decidedUntil];
}

function candidates(session: Session, request: CandidateRequest): Query {
  const { through, importedUntil, decidedUntil, lineId } = request;
  const query = session('bank_statement_lines as l')
    .join('bank_statements as s', 's.id', 'l.statement_id')
    .join('statement_files as f', 'f.id', 's.file_id')
    .select(...rowCodec(CANDIDATE_LINE).columns('l'))
    .select(session.fragment(LINE_ROOT_THEN_SELECTED, decidedBy(request)))
    .select(FILE.column('importedAt', 'f'))
    .where('l.booking_date', '<=', through)
    .where('l.currency', POSTED_CURRENCY)
    .whereRaw(decidedUntil === undefined ? isEffectiveLine('l') : isOnEffectiveStatement('l'))
    .orderBy(['l.booking_date', 'l.statement_id', 'l.position', 'l.account']);
  if (lineId !== undefined) void query.where('l.id', lineId);
  return importedUntil === undefined ? query : query.where('f.imported_at', '<=', importedUntil);
}

/**
 * Returns the amounts of payout candidates by account, negated like a debit that returns one, with their first booking
 * date.
 */
function creditsByAmount(session: Session, request: CandidateRequest): Query {
  return session('bank_statement_lines as p')
    .select(
      session.fragment(CREDIT_ROOT_THEN_SELECTED, decidedBy(request)),
      session.fragment('-p.amount_minor as debit_minor'),
    )
    .min('p.booking_date as booking_date')
    .where('p.currency', POSTED_CURRENCY)
    .whereRaw(isPayoutLine('p', request.marks ?? 'last'))
    .groupBy('root', 'p.amount_minor')
    .as('c');
}
