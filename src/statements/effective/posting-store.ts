import { rowsOf, type Session } from '../../db';
import { toMillimes, toTotal, type BusinessDate, type Millimes } from '../../kernel';
import { bankAccount } from '../../ledger';
import { isEffectiveLine, isEffectiveStatement } from './effective-lines';
import type { Statement } from '../statement-records';
import { STATEMENT_COLUMNS, toStatement } from '../statement-rows';
import { POSTED_CURRENCY } from '../statement-store';

/** A line that counts, and whether the books have it. */
export interface LineToPost {
  readonly id: string;
  /** Its place on the statement that is gone through. */
  readonly position: number;
  readonly account: string;
  readonly bookingDate: BusinessDate;
  readonly amount: Millimes;
  readonly posted: boolean;
}

/** What the books still lack of the statements that count. Only dinars are posted. */
export interface PostingStore {
  /** Files that are loaded and not posted, the oldest first. */
  filesToPost(): Promise<string[]>;
  /** Locks the progress of the file until the transaction ends. */
  lockFile(fileId: string): Promise<void>;
  /** The statements of a file that count, in dinars. */
  countingStatements(fileId: string): Promise<Statement[]>;
  /** Some lines of a statement in their order, after a position: its own, or those that it shares with another. */
  linesAfter(
    statementId: string,
    page: { readonly after: number; readonly limit: number; readonly which: 'own' | 'known' },
  ): Promise<LineToPost[]>;
  /** What the lines of an account that count add up to before a day. */
  countedBefore(account: string, day: BusinessDate): Promise<bigint>;
  /** What was posted as the balance before the account's first line, and in how many transactions. */
  postedOpening(account: string): Promise<{ readonly total: bigint; readonly count: number }>;
}

export function openPosting(session: Session): PostingStore {
  return {
    async filesToPost() {
      const rows = await rowsOf(
        session('statement_loads as w').select('w.file_id').where('w.state', 'imported').orderBy('w.file_id'),
      );
      return rows.map((row) => String(row['file_id']));
    },
    async lockFile(fileId) {
      await rowsOf(session('statement_loads as w').select('w.file_id').where('w.file_id', fileId).forUpdate());
    },
    async countingStatements(fileId) {
      const rows = await rowsOf(
        session('bank_statements as s')
          .leftJoin('statement_holds as h', 'h.statement_id', 's.id')
          .select(...STATEMENT_COLUMNS)
          .where({ 's.file_id': fileId, 's.currency': POSTED_CURRENCY })
          .whereNot('s.kind', 'interim')
          .whereRaw(isEffectiveStatement('s'))
          .orderBy('s.position'),
      );
      return rows.map(toStatement);
    },
    async linesAfter(statementId, { after, limit, which }) {
      const place = which === 'own' ? 'l.position' : 'r.position';
      const query =
        which === 'own'
          ? session('bank_statement_lines as l').where('l.statement_id', statementId)
          : session('statement_line_repeats as r')
              .join('bank_statement_lines as l', 'l.id', 'r.line_id')
              .where('r.statement_id', statementId);
      const rows = await rowsOf(
        query
          .leftJoin('ledger_transactions as t', 't.reference', session.fragment(lineReference(session)))
          .select('l.id', `${place} as place`, 'l.account', 'l.booking_date', 'l.amount_minor', 't.id as posted_id')
          .where(place, '>', after)
          .orderBy(place)
          .limit(limit),
      );
      return rows.map((row) => ({
        id: String(row['id']),
        position: Number(row['place']),
        account: String(row['account']),
        bookingDate: String(row['booking_date']) as BusinessDate,
        amount: toMillimes(row['amount_minor']),
        posted: row['posted_id'] !== null,
      }));
    },
    async countedBefore(account, day) {
      const [row] = await rowsOf(
        session('bank_statement_lines as l')
          .select(session.fragment('cast(sum(l.amount_minor) as char) as total'))
          .where({ 'l.account': account, 'l.currency': POSTED_CURRENCY })
          .where('l.booking_date', '<', day)
          .whereRaw(isEffectiveLine('l')),
      );
      return toTotal(row?.['total']);
    },
    async postedOpening(account) {
      const name = bankAccount(account);
      const [row] = await session.raw(
        `select count(*) as count,
                cast(sum(case when p.debit_account = ? then p.amount_millimes else -p.amount_millimes end) as char) as total
           from ledger_transactions t join postings p on p.transaction_id = t.id
          where t.code = 'opening_balance' and (p.debit_account = ? or p.credit_account = ?)`,
        [name, name, name],
      );
      return { total: toTotal(row?.['total']), count: Number(row?.['count'] ?? 0) };
    },
  };
}

function lineReference(session: Session): string {
  return session.dialect === 'sqlite' ? "'line:' || l.id" : "concat('line:', l.id)";
}
