import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type BusinessDate, pagesOf } from '../kernel';
import { openAccounts } from './account-store';
import { POSTED_CURRENCY } from './statement-records';
import { LINE, onlyVisible } from './statement-rows';

const MARK = rowCodec({
  id: column.text('id'),
  lineId: column.text('line_id'),
  /** 1 for the first decision on the line. */
  position: column.number('position'),
  isPayout: column.flag('is_payout'),
  /** The pattern that chose the line. */
  pattern: column.text('pattern'),
  decidedAt: column.number('decided_at'),
  decidedBy: column.text('decided_by'),
  reason: column.text('reason'),
});
/** A decision of a person that a stored credit may be a payout, or that it is none. */
export type PayoutMark = Decoded<typeof MARK>;

const CREDIT_LINE = rowCodec({
  lineId: column.text('id'),
  bookingDate: column.businessDate('booking_date'),
  amount: column.millimes('amount_minor'),
  counterparty: column.text('counterparty'),
  remittance: column.text('remittance'),
});
const CREDIT = rowCodec({
  ...CREDIT_LINE.fields,
  /** Whether it may be a payout now. */
  isPayout: MARK.fields.isPayout,
  /** The number of decisions on it. */
  marks: column.number('marks'),
});
/** A stored credit in dinars. */
export type MarkableCredit = Decoded<typeof CREDIT>;

const STORED_LINE = rowCodec({
  statementId: LINE.fields.statementId,
  currency: LINE.fields.currency,
  amountMinor: LINE.fields.amountMinor,
  isPayout: MARK.fields.isPayout,
});
/** A line of any kind, and whether it may be a payout now. */
export type StoredLine = Decoded<typeof STORED_LINE>;

const LAST_MARK = rowCodec({
  lineId: MARK.fields.lineId,
  position: MARK.fields.position,
  isPayout: MARK.fields.isPayout,
});

/** The credits of a statement, or those of an account that the bank booked on some days. */
export type CreditChoice =
  | { readonly statementId: string }
  | { readonly account: string; readonly from?: BusinessDate | undefined; readonly through?: BusinessDate | undefined };

/** Reads and adds the decisions of people on which stored credits may be payouts. */
export interface PayoutMarkStore {
  /** Returns the chosen credits of fully loaded files, in the order of the bank. */
  credits(choice: CreditChoice): Promise<MarkableCredit[]>;
  /** Returns a line of a fully loaded file. */
  line(lineId: string): Promise<StoredLine | undefined>;
  /** Adds decisions. Fails with `duplicate_key` if another decision on one of the lines was faster. */
  add(marks: readonly PayoutMark[]): Promise<void>;
  /** Returns the lines that are no payouts by their last decision. Locks the decisions until the transaction ends. */
  holdUnmarked(lineIds: readonly string[]): Promise<string[]>;
}

export function openPayoutMarks(session: Session): PayoutMarkStore {
  return {
    async credits(choice) {
      const query = loadedLines(session)
        .select(
          ...CREDIT_LINE.columns('l'),
          session.fragment('(select count(*) from payout_marks m where m.line_id = l.id) as marks'),
        )
        .where('l.currency', POSTED_CURRENCY)
        .where('l.amount_minor', '>', 0)
        .orderBy(['l.booking_date', 'l.statement_id', 'l.position']);
      if ('statementId' in choice) {
        return CREDIT.all(
          query.whereRaw(`(l.statement_id = ? or ${IS_REPEATED_ON})`, Array(2).fill(choice.statementId)),
        );
      }
      const { account, from, through } = choice;
      void query.whereIn('l.account', await openAccounts(session).namesOfAny(account));
      if (from !== undefined) void query.where('l.booking_date', '>=', from);
      if (through !== undefined) void query.where('l.booking_date', '<=', through);
      return CREDIT.all(query);
    },
    line: (lineId) =>
      STORED_LINE.first(
        loadedLines(session).select('l.statement_id', 'l.currency', 'l.amount_minor').where('l.id', lineId),
      ),
    add: (marks) => session.insert([{ table: 'payout_marks', rows: marks.map((mark) => MARK.write(mark)) }]),
    async holdUnmarked(lineIds) {
      const last = new Map<string, boolean>();
      for (const page of pagesOf(lineIds, ROWS_PER_STATEMENT)) {
        const marks = session('payout_marks as m')
          .select(LAST_MARK.columns('m'))
          .whereIn('m.line_id', page)
          .orderBy('m.position')
          .forUpdate();
        for (const { lineId, isPayout } of await LAST_MARK.all(marks)) last.set(lineId, isPayout);
      }
      return [...last].flatMap(([lineId, isPayout]) => (isPayout ? [] : [lineId]));
    },
  };
}

function loadedLines(session: Session): ReturnType<Session> {
  const lines = session('bank_statement_lines as l').join('bank_statements as s', 's.id', 'l.statement_id');
  return onlyVisible(lines).select(session.fragment(PAYOUT_FLAG));
}

const IS_REPEATED_ON = 'l.id in (select r.line_id from statement_line_repeats r where r.statement_id = ?)';

/** The condition that no later decision on the line follows the decision `m`. */
const IS_LAST = 'not exists (select 1 from payout_marks n where n.line_id = m.line_id and n.position > m.position)';

/** Whether the line `l` may be a payout now, in SQL. */
export const PAYOUT_FLAG =
  'coalesce((select m.is_payout from payout_marks m where m.line_id = l.id order by m.position desc limit 1),' +
  ' l.payout_candidate) as is_payout';

/**
 * Which decisions count: the `last` one of each line, or `none`; `ever`: a line that was a payout by its import or by
 * any decision.
 */
export type MarksRead = 'last' | 'none' | 'ever';

/** Returns the condition that the line `alias` may be a payout, in SQL. Its parts can use indexes, unlike `PAYOUT_FLAG`. */
export function isPayoutLine(alias: string, marks: MarksRead): string {
  const isStored = `${alias}.payout_candidate = 1`;
  if (marks === 'none') return isStored;
  const isMarked = (which: string): string =>
    `${alias}.id in (select m.line_id from payout_marks m where m.is_payout = 1${which})`;
  if (marks === 'ever') return `(${isStored} or ${isMarked('')})`;
  const isUnmarked = `select 1 from payout_marks m where m.line_id = ${alias}.id and m.is_payout = 0 and ${IS_LAST}`;
  return `((${isStored} and not exists (${isUnmarked})) or ${isMarked(` and ${IS_LAST}`)})`;
}
