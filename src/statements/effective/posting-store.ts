import { column, prefixedInSql, rowCodec, ROWS_PER_STATEMENT, type Session } from '../../db';
import { type BusinessDate, type Millimes, pagesOf } from '../../kernel';
import { bankAccount } from '../../ledger';
import { openAccounts } from '../account-store';
import { isEffectiveLine, isEffectiveStatement } from '../effective-lines';
import { POSTED_CURRENCY, type Statement } from '../statement-records';
import { HELD_STATEMENT, LINE, selectStatements } from '../statement-rows';

/** An effective line, and whether the ledger has it. */
export interface LineToPost {
  readonly id: string;
  /** Its position on the posted statement, from 1. */
  readonly position: number;
  readonly account: string;
  readonly bookingDate: BusinessDate;
  readonly amount: Millimes;
  readonly posted: boolean;
}

/** Reads the effective lines that the ledger lacks. Only dinars are posted. */
export interface PostingStore {
  /** Returns the files that are loaded but not posted, oldest first. */
  filesToPost(): Promise<string[]>;
  /** Returns the effective statements of a file in dinars. */
  effectiveStatements(fileId: string): Promise<Statement[]>;
  /** Returns some lines of a statement after a position, in order: its own, and those that it shares with another. */
  linesAfter(
    statementId: string,
    page: { readonly after: number; readonly limit: number; readonly which: 'own' | 'known' },
  ): Promise<LineToPost[]>;
  /** Returns the ids of the ledger transactions of lines, by line; absent if the ledger lacks one. */
  transactionsOf(lineIds: readonly string[]): Promise<Map<string, string>>;
  /** Returns the sum of an account's effective lines before a day, under all its names. */
  effectiveBefore(account: string, day: BusinessDate): Promise<bigint>;
  /** Returns the amount that was posted as the account's opening balance, and the number of its ledger transactions. */
  postedOpening(account: string): Promise<{ readonly total: bigint; readonly count: number }>;
}

const POSTED = rowCodec({ id: column.text('id'), reference: column.text('reference') });
const FILE_ID = rowCodec({ fileId: column.text('file_id') });
const LINE_TO_POST = rowCodec({
  id: LINE.fields.id,
  position: column.number('place'),
  account: LINE.fields.account,
  bookingDate: LINE.fields.bookingDate,
  amount: column.millimes('amount_minor'),
  postedId: column.optional(column.text('posted_id')),
});
const SUM = rowCodec({ total: column.total('total') });
const OPENING = rowCodec({ ...SUM.fields, count: column.number('count') });

const POSTED_OPENING = (marks: string): string => `
  select count(*) as count,
         cast(sum(case when p.debit_account in (${marks}) then p.amount_millimes else -p.amount_millimes end) as char) as total
    from ledger_transactions t join postings p on p.transaction_id = t.id
   where t.code = 'opening_balance' and (p.debit_account in (${marks}) or p.credit_account in (${marks}))`;

export function openPosting(session: Session): PostingStore {
  return {
    async filesToPost() {
      const files = await FILE_ID.all(
        session('statement_loads as w').select('w.file_id').where('w.state', 'imported').orderBy('w.file_id'),
      );
      return files.map(({ fileId }) => fileId);
    },
    effectiveStatements: (fileId) =>
      HELD_STATEMENT.all(
        selectStatements(session)
          .where({ 's.file_id': fileId, 's.currency': POSTED_CURRENCY })
          .whereNot('s.kind', 'interim')
          .whereRaw(isEffectiveStatement('s'))
          .orderBy('s.position'),
      ),
    async linesAfter(statementId, { after, limit, which }) {
      const place = which === 'own' ? 'l.position' : 'r.position';
      const query =
        which === 'own'
          ? session('bank_statement_lines as l').where('l.statement_id', statementId)
          : session('statement_line_repeats as r')
              .join('bank_statement_lines as l', 'l.id', 'r.line_id')
              .where('r.statement_id', statementId);
      const lines = await LINE_TO_POST.all(
        query
          .leftJoin('ledger_transactions as t', 't.reference', session.fragment(lineReferenceInSql(session)))
          .select('l.id', `${place} as place`, 'l.account', 'l.booking_date', 'l.amount_minor', 't.id as posted_id')
          .where(place, '>', after)
          .orderBy(place)
          .limit(limit),
      );
      return lines.map(({ postedId, ...line }) => ({ ...line, posted: postedId !== undefined }));
    },
    transactionsOf: (lineIds) => transactionsOf(session, lineIds),
    async effectiveBefore(account, day) {
      const sum = await SUM.first(
        session('bank_statement_lines as l')
          .select(session.fragment('cast(sum(l.amount_minor) as char) as total'))
          .where('l.currency', POSTED_CURRENCY)
          .whereIn('l.account', await openAccounts(session).namesOf(account))
          .where('l.booking_date', '<', day)
          .whereRaw(isEffectiveLine('l')),
      );
      return sum?.total ?? 0n;
    },
    async postedOpening(account) {
      const names = (await openAccounts(session).namesOf(account)).map(bankAccount);
      const marks = names.map(() => '?').join(', ');
      const opening = await OPENING.first(session.raw(POSTED_OPENING(marks), [...names, ...names, ...names]));
      return opening ?? { total: 0n, count: 0 };
    },
  };
}

async function transactionsOf(session: Session, lineIds: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const page of pagesOf(lineIds, ROWS_PER_STATEMENT)) {
    const references = page.map(lineReference);
    const posted = session('ledger_transactions as t').select(POSTED.columns('t')).whereIn('t.reference', references);
    for (const { id, reference } of await POSTED.all(posted)) found.set(reference.slice(LINE_PREFIX.length), id);
  }
  return found;
}

const LINE_PREFIX = 'line:';

/** Returns the ledger's reference of a line. */
export function lineReference(lineId: string): string {
  return `${LINE_PREFIX}${lineId}`;
}

function lineReferenceInSql({ dialect }: Session): string {
  return prefixedInSql(dialect, LINE_PREFIX, 'l.id');
}
