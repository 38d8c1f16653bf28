import { isCounted, isEffectiveLine, isEffectiveStatement, isPostedLine } from './effective-statements';
import type { Invariant } from './invariant';

/**
 * Invariants of imported statements, their lines and the postings of those. books-check-read-model.ts replaces REF_…, ROOT_OF_…
 * and the other words in capitals by the SQL of each database.
 */
export const STATEMENT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'each statement line that counts has its one ledger transaction, with its amount and its bank account',
    sql: `select l.id from bank_statement_lines l
          left join ledger_transactions t on t.code = 'statement_line' and t.reference = REF_LINE
          left join postings p on p.transaction_id = t.id and p.amount_millimes = abs(l.amount_minor)
            and case when l.amount_minor > 0 then p.debit_account else p.credit_account end = BANK_OF_LINE
            and case when l.amount_minor > 0 then p.credit_account else p.debit_account end = 'bank_unmatched'
          where l.currency = 'TND' and l.amount_minor <> 0 and p.transaction_id is null and ${isPostedLine('l')}`,
  },
  {
    name: 'each statement line is posted as of the day on which the bank booked it',
    sql: `select l.id, l.booking_date, t.occurred_at from bank_statement_lines l
          join ledger_transactions t on t.code = 'statement_line' and t.reference = REF_LINE
          where l.booking_date <> DAY_OF_POSTING`,
  },
  {
    name: 'no statement line is posted that does not count',
    sql: `select l.id from bank_statement_lines l
          join ledger_transactions t on t.code = 'statement_line' and t.reference = REF_LINE
          where l.currency <> 'TND' or (${isCounted('l')} and not ${isEffectiveLine('l')})`,
  },
  {
    name: 'each posted line that repeats another one has its one reversal, which equals its posting',
    sql: `select l.id from bank_repeated_lines y
          join bank_statement_lines l on l.id = y.line_id
          left join ledger_transactions t on t.code = 'statement_line' and t.reference = REF_LINE
          left join postings p on p.transaction_id = t.id
          left join ledger_transactions r on r.reverses_id = t.id and r.code = 'reversal' and r.reference = REF_LINE_BACK
          left join postings q on q.transaction_id = r.id and q.amount_millimes = p.amount_millimes
            and q.debit_account = p.credit_account and q.credit_account = p.debit_account
          where l.currency = 'TND' and l.amount_minor <> 0
            and (q.transaction_id is null
                 or (select count(*) from postings o where o.transaction_id = r.id) <> 1)
          union all
          select substr(r.reference, 11) from ledger_transactions r
          where r.reference like 'line-back:%'
            and not exists (select 1 from bank_repeated_lines y where y.line_id = substr(r.reference, 11))`,
  },
  {
    name: 'a line repeats a line of its account that counts, with its day and amount, and no match uses it',
    sql: `select y.line_id, y.stays_id from bank_repeated_lines y
          left join bank_statement_lines l on l.id = y.line_id
          left join bank_statement_lines u on u.id = y.stays_id and u.currency = l.currency
            and u.booking_date = l.booking_date and u.amount_minor = l.amount_minor
          where l.id is null or u.id is null or not ${isEffectiveLine('u')} or ROOT_OF_OTHER <> ROOT_OF_LINE
             or exists (select 1 from payout_claimed_lines k where k.line_id = y.line_id)
             or exists (select 1 from payout_unmatches k where k.debit_line_id = y.line_id)`,
  },
  {
    name: 'each ledger transaction of a statement line has its line',
    sql: `select t.reference from ledger_transactions t
          left join bank_statement_lines l on l.id = substr(t.reference, 6)
          where t.code = 'statement_line' and l.id is null`,
  },
  {
    name: "a statement's totals are those of its lines, and its balances too when it proves itself",
    sql: `select s.id, s.credits_minor, s.debits_minor, s.entries from bank_statements s
          join statement_loads w on w.file_id = s.file_id and w.state <> 'loading'
          left join (select h.statement_id, count(*) as entries,
                            sum(case when l.amount_minor > 0 then l.amount_minor else 0 end) as credits,
                            sum(case when l.amount_minor < 0 then -l.amount_minor else 0 end) as debits
                     from (select id as line_id, statement_id from bank_statement_lines
                           union all
                           select line_id, statement_id from statement_line_repeats) h
                     join bank_statement_lines l on l.id = h.line_id
                     group by h.statement_id) f on f.statement_id = s.id
          where s.kind <> 'interim'
            and (s.entries <> coalesce(f.entries, 0) or s.credits_minor <> coalesce(f.credits, 0)
                 or s.debits_minor <> coalesce(f.debits, 0)
                 or (s.verdict = 'ok' and s.opening_minor + s.credits_minor - s.debits_minor <> s.closing_minor))`,
  },
  {
    name: 'a statement shares lines only with statements of its account and currency',
    sql: `select r.statement_id, r.line_id from statement_line_repeats r
          join bank_statements s on s.id = r.statement_id
          join bank_statement_lines l on l.id = r.line_id
          where ROOT_OF_LINE <> ROOT_OF_STATEMENT or l.currency <> s.currency or l.statement_id = s.id`,
  },
  {
    // Statements with a gap between them, and accepted statements, need not add up to a balance of the bank.
    name: 'a bank account in the books is the closing balance of its last statement',
    // The statements and postings under all names of an account are those of one account.
    sql: `select ROOT_OF_STATEMENT as root, max(s.closing_minor) as closing, max(coalesce(m.balance, 0)) as balance
          from bank_statements s
          join (select ROOT_OF_NEWEST as account, max(n.last_date) as last_date from bank_statements n
                where n.currency = 'TND' and n.kind <> 'interim' and ${isEffectiveStatement('n')}
                group by ROOT_OF_NEWEST) d on d.account = ROOT_OF_STATEMENT and d.last_date = s.last_date
          left join (select ROOT_OF_POSTING as account, sum(x.amount) as balance
                     from (select substr(p.debit_account, 6) as name, p.amount_millimes as amount from postings p
                           where p.debit_account like 'bank:%'
                           union all
                           select substr(p.credit_account, 6), -p.amount_millimes from postings p
                           where p.credit_account like 'bank:%') x
                     group by ROOT_OF_POSTING) m on m.account = ROOT_OF_STATEMENT
          where s.currency = 'TND' and s.kind <> 'interim' and ${isEffectiveStatement('s')}
            and not exists (select 1 from bank_statements u
                            join statement_loads w on w.file_id = u.file_id and w.state = 'imported'
                            where ROOT_OF_OTHER = ROOT_OF_STATEMENT)
            and not exists (select 1 from bank_statements u
                            join statement_acceptances a on a.statement_id = u.id
                            where ROOT_OF_OTHER = ROOT_OF_STATEMENT)
            and not exists (select 1 from recon_breaks b join bank_statements u on u.id = substr(b.fingerprint, -26)
                            where b.fingerprint like 'statement_gap:%' and b.status <> 'resolved'
                              and ROOT_OF_OTHER = ROOT_OF_STATEMENT)
          group by ROOT_OF_STATEMENT
          having sum(case when s.closing_minor = coalesce(m.balance, 0) then 1 else 0 end) = 0`,
  },
];
