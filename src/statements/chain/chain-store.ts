import { column, rowCodec, type Session } from '../../db';
import { assert, type BusinessDate } from '../../kernel';
import { openAccounts } from '../account-store';
import { isEffectiveStatement, isWaitingStatement } from '../effective-lines';
import type { Statement } from '../statement-records';
import { HELD_STATEMENT, LINE, onlyVisible, selectStatements } from '../statement-rows';
import type { DaySlice, SliceLine } from './day-slice';
import { type IdentifiedLine, lineIdentity } from './line-identity';

/** A statement's lines of one day, their identities and their sum. */
export interface DayOfStatement {
  readonly identities: readonly string[];
  readonly lines: readonly StoredSliceLine[];
  readonly netMinor: number;
}

export interface StoredSliceLine extends SliceLine {
  readonly identity: string;
  /** Equal for equal lines. */
  readonly likeness: string;
}

/** The part of a day in a stored statement. */
export type StoredSlice = DaySlice<StoredSliceLine>;

/** Reads which statements are neighbors and where they differ. It includes rows of the file that is loading. */
export interface ChainStore {
  /** Returns proven statements of the account that end on a day with a balance. */
  endingOn(of: Statement, day: BusinessDate, closingMinor: number): Promise<Statement[]>;
  /** Returns proven statements of the account that begin on a day with a balance. */
  beginningOn(of: Statement, day: BusinessDate, openingMinor: number): Promise<Statement[]>;
  /** Returns proven statements of the account that begin or end on a day. */
  bordering(of: Statement, day: BusinessDate): Promise<Statement[]>;
  /** Returns the lines of one day of a statement: its own, and those that an earlier statement brought. */
  linesOn(statementId: string, day: BusinessDate): Promise<DayOfStatement>;
  /** Returns the part of a day in a statement; undefined if the statement has no opening balance. */
  sliceOn(statement: Statement, day: BusinessDate): Promise<StoredSlice | undefined>;
  /** Returns whether two statements share a line. */
  shareLines(a: Statement, b: Statement): Promise<boolean>;
  /** Returns the other statements of the account with lines on these days that are effective or of the same file. */
  overlapping(of: Statement): Promise<Statement[]>;
  /** Returns the other effective statements of the account with lines on these days. */
  effectiveOn(of: Statement): Promise<Statement[]>;
  /**
   * Returns the statements of other files without an opening balance that have lines of the account on these days and
   * are not excluded, the effective ones first.
   */
  unplacedOn(of: Statement): Promise<Statement[]>;
  /** Returns another statement's lines on the days of `of`. */
  linesWithin(of: Statement, otherId: string): Promise<IdentifiedLine[]>;
  /** Returns the identities of another statement's lines on the days of `of`. */
  identitiesWithin(of: Statement, otherId: string): Promise<string[]>;
  /** Returns the days of `of` on which `other` has lines that `of` lacks. */
  daysOfForeignLines(of: Statement, other: Statement): Promise<BusinessDate[]>;
  hold(statementId: string, at: number): Promise<void>;
}

export function openChain(session: Session): ChainStore {
  const namesOf = ({ account }: Statement): Promise<string[]> => openAccounts(session).namesOf(account);
  const statementsOf = (of: Statement, names: readonly string[]): ReturnType<Session> =>
    otherStatements(session, of, names);
  return {
    endingOn: async (of, day, closingMinor) =>
      HELD_STATEMENT.all(
        statementsOf(of, await namesOf(of)).where({ 's.last_date': day, 's.closing_minor': closingMinor }),
      ),
    beginningOn: async (of, day, openingMinor) =>
      HELD_STATEMENT.all(
        statementsOf(of, await namesOf(of)).where({ 's.first_date': day, 's.opening_minor': openingMinor }),
      ),
    bordering: async (of, day) =>
      HELD_STATEMENT.all(
        statementsOf(of, await namesOf(of))
          .where({ 's.kind': 'statement', 's.verdict': 'ok' })
          .where((either) => void either.where('s.first_date', day).orWhere('s.last_date', day)),
      ),
    async linesOn(statementId, day) {
      const lines = await linesOn(session, statementId, day);
      return { lines, identities: lines.map(({ identity }) => identity), netMinor: sumOf(lines) };
    },
    async sliceOn({ id, openingMinor, firstDate, lastDate }, day) {
      if (openingMinor === undefined || firstDate === undefined || lastDate === undefined) return undefined;
      return {
        startMinor: openingMinor + (day === firstDate ? 0 : await netBefore(session, id, day)),
        lines: await linesOn(session, id, day),
        reachesBack: firstDate < day,
        reachesOn: lastDate > day,
      };
    },
    async shareLines(a, b) {
      const rows = await session.raw(SHARED_LINE, [a.id, a.id, b.id, b.id]);
      return rows.length > 0;
    },
    overlapping: async (of) => onDaysOf(of, statementsOf(of, await namesOf(of))),
    effectiveOn: async (of) => onDaysOf(of, statementsOf(of, await namesOf(of)).whereRaw(isEffectiveStatement('s'))),
    unplacedOn: async (of) => unplacedOn(session, of, await namesOf(of)),
    linesWithin: (of, otherId) => linesBetween(session, otherId, [of.firstDate, of.lastDate]),
    async identitiesWithin({ firstDate, lastDate }, otherId) {
      assert(firstDate !== undefined && lastDate !== undefined, 'a statement that overlaps has lines');
      const lines = await IDENTITY.all(session.raw(IDENTITIES_WITHIN, [otherId, otherId, firstDate, lastDate]));
      return lines.map(({ identity }) => identity);
    },
    async daysOfForeignLines({ id, firstDate, lastDate }, other) {
      assert(firstDate !== undefined && lastDate !== undefined, 'a statement that overlaps has lines');
      const days = await DAY.all(session.raw(FOREIGN_DAYS, [other.id, other.id, id, id, firstDate, lastDate]));
      return days.map(({ bookingDate }) => bookingDate);
    },
    async hold(statementId, at) {
      await session('statement_holds').insert({ statement_id: statementId, kind: 'overlap', held_at: at });
    },
  };
}

/** Starts a SELECT of other statements of an account that are effective or of the same file. */
function otherStatements(
  session: Session,
  { currency, id, fileId }: Statement,
  names: readonly string[],
): ReturnType<Session> {
  return selectStatements(session)
    .where('s.currency', currency)
    .whereIn('s.account', names)
    .whereNot('s.id', id)
    .whereRaw(`(${isEffectiveStatement('s')} or (s.file_id = ? and s.verdict = 'ok'))`, [fileId])
    .orderBy('s.id');
}

function unplacedOn(session: Session, of: Statement, names: readonly string[]): Promise<Statement[]> {
  const unplaced = onlyVisible(selectStatements(session))
    .where({ 's.currency': of.currency, 's.kind': 'statement' })
    .whereIn('s.account', names)
    .whereNull('s.opening_minor')
    .whereNot('s.file_id', of.fileId)
    .whereRaw(`(${isEffectiveStatement('s')} or ${isWaitingStatement('s')})`)
    .orderByRaw(`case when ${isEffectiveStatement('s')} then 0 else 1 end, s.id`);
  return onDaysOf(of, unplaced);
}

async function onDaysOf({ firstDate, lastDate }: Statement, query: ReturnType<Session>): Promise<Statement[]> {
  if (firstDate === undefined || lastDate === undefined) return [];
  return HELD_STATEMENT.all(query.where('s.first_date', '<=', lastDate).where('s.last_date', '>=', firstDate));
}

const IDENTITY = rowCodec({ identity: LINE.fields.identity });
const DAY = rowCodec({ bookingDate: LINE.fields.bookingDate });
const NET = rowCodec({ total: column.total('total') });
/** A day may have very many lines, so only the columns that distinguish them are read. */
const LINE_OF_DAY = rowCodec({
  ...IDENTITY.fields,
  ...DAY.fields,
  account: LINE.fields.account,
  currency: LINE.fields.currency,
  valueDate: LINE.fields.valueDate,
  amountMinor: LINE.fields.amountMinor,
  counterparty: LINE.fields.counterparty,
  remittance: LINE.fields.remittance,
  bankReference: LINE.fields.bankReference,
});

/** A line that repeats another one stands for that one. */
const LINES_ON_STATEMENTS = `
  select coalesce(x.stays_id, l.id) as line_id, l.position from bank_statement_lines l
    left join bank_repeated_lines x on x.line_id = l.id where l.statement_id = ?
  union all
  select coalesce(x.stays_id, r.line_id), r.position from statement_line_repeats r
    left join bank_repeated_lines x on x.line_id = r.line_id where r.statement_id = ?`;

const IDENTITIES_WITHIN = `select l.identity from (${LINES_ON_STATEMENTS}) h
  join bank_statement_lines l on l.id = h.line_id where l.booking_date between ? and ?`;

const LINES_WITHIN = `select ${LINE_OF_DAY.columns('l').join(', ')} from (${LINES_ON_STATEMENTS}) h
         join bank_statement_lines l on l.id = h.line_id where l.booking_date between ? and ? order by h.position`;

const NET_BEFORE_DAY = `select cast(sum(l.amount_minor) as char) as total from (${LINES_ON_STATEMENTS}) h
         join bank_statement_lines l on l.id = h.line_id where l.booking_date < ?`;

const SHARED_LINE = `select 1 from (${LINES_ON_STATEMENTS}) x join (${LINES_ON_STATEMENTS}) y on y.line_id = x.line_id limit 1`;

const FOREIGN_DAYS = `select distinct l.booking_date from (${LINES_ON_STATEMENTS}) h
           join bank_statement_lines l on l.id = h.line_id
           left join (${LINES_ON_STATEMENTS}) o on o.line_id = l.id
          where l.booking_date between ? and ? and o.line_id is null
          order by l.booking_date`;

function linesBetween(
  session: Session,
  statementId: string,
  [from, through]: readonly [BusinessDate | undefined, BusinessDate | undefined],
): Promise<IdentifiedLine[]> {
  assert(from !== undefined && through !== undefined, 'a statement that overlaps has lines');
  return LINE_OF_DAY.all(session.raw(LINES_WITHIN, [statementId, statementId, from, through]));
}

async function linesOn(session: Session, statementId: string, day: BusinessDate): Promise<StoredSliceLine[]> {
  const lines = await linesBetween(session, statementId, [day, day]);
  return lines.map((line) => ({
    identity: line.identity,
    // Equal lines may be stored under several names of the account.
    likeness: lineIdentity({ ...line, account: '' }, 1),
    amountMinor: line.amountMinor,
  }));
}

async function netBefore(session: Session, statementId: string, day: BusinessDate): Promise<number> {
  const net = await NET.first(session.raw(NET_BEFORE_DAY, [statementId, statementId, day]));
  return Number(net?.total ?? 0n);
}

function sumOf(lines: readonly SliceLine[]): number {
  return Number(lines.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n));
}
