import type { Invariant } from './invariant';

/** Invariants of write-offs. */
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
