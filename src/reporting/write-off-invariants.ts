import type { Invariant } from './invariant';

/**
 * The write-offs that are not reversed, as the row `w` with what each added to its account; and, if it is of the remainder
 * of a match, the match as the row `m`. `amount_differs:match:` has 21 characters. SQLite keeps the order of cross joins.
 */
export const STANDING_WRITE_OFFS = `
  (select t.reference, p.break_id,
          case when q.debit_account = 'write_off' then q.credit_account else q.debit_account end as account,
          case when q.debit_account = 'write_off' then -q.amount_millimes else q.amount_millimes end as amount
   from break_proposals p
   cross join break_decisions d on d.proposal_id = p.id and d.outcome = 'approved'
   cross join ledger_transactions t on t.reference = d.posted_as and t.code = 'write_off'
   join postings q on q.transaction_id = t.id
   where p.kind = 'write_off' and not exists (select 1 from ledger_transactions r where r.reverses_id = t.id)) w
  join recon_breaks b on b.id = w.break_id
  left join payout_matches m on b.fingerprint like 'amount_differs:match:%' and m.id = substr(b.fingerprint, 22)`;

/** Invariants of write-offs. books-check-read-model.ts replaces CLEARING_OF_REST by the SQL of each database. */
export const WRITE_OFF_INVARIANTS: readonly Invariant[] = [
  {
    name: 'each write-off was proposed by one person, approved by another, and is of the amount they agreed on',
    sql: `select t.reference from ledger_transactions t
          left join break_decisions d on d.posted_as = t.reference and d.outcome = 'approved'
          left join break_proposals p
            on p.id = d.proposal_id and p.kind = 'write_off' and p.proposed_by <> d.decided_by
          where t.code = 'write_off'
            and (p.id is null
                 or d.amount_millimes <> (select coalesce(sum(q.amount_millimes), 0) from postings q
                                          where q.transaction_id = t.id))`,
  },
  {
    name: 'each write-off of a remainder is in the channel of the remainder',
    sql: `select w.reference, w.account, CLEARING_OF_REST as expected_account from ${STANDING_WRITE_OFFS}
          where CLEARING_OF_REST <> w.account`,
  },
  {
    name: 'each approved write-off is posted',
    sql: `select p.id, d.posted_as from break_proposals p
          join break_decisions d on d.proposal_id = p.id and d.outcome = 'approved'
          left join ledger_transactions t on t.reference = d.posted_as and t.code = 'write_off'
          where p.kind = 'write_off' and t.id is null`,
  },
  {
    name: 'only write-offs, and what takes them back, touch the account of write-offs',
    sql: `select t.reference from postings p
          join ledger_transactions t on t.id = p.transaction_id
          left join ledger_transactions o on o.id = t.reverses_id and o.code = 'write_off'
          where (p.debit_account = 'write_off' or p.credit_account = 'write_off')
            and t.code <> 'write_off' and (t.code <> 'reversal' or o.id is null)`,
  },
];
