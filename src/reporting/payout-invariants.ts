import { isCounted } from './effective-statements';
import type { Invariant } from './invariant';
import { STANDING_WRITE_OFFS } from './write-off-invariants';

/** Selects live matches. */
const IS_LIVE = 'not exists (select 1 from payout_unmatches u where u.match_id = m.id)';

/**
 * Invariants of matched credits and of the gateway's debt. books-check-read-model.ts replaces REF_… and CLEARING_OF_… by
 * the SQL of each database.
 */
export const PAYOUT_INVARIANTS: readonly Invariant[] = [
  {
    // `payout:` and a line id have 33 characters; the number of the match follows.
    name: 'each match is posted and is the sum of its items',
    sql: `select m.id, m.line_id, m.gross_millimes from payout_matches m
          join bank_statement_lines l on l.id = m.line_id
          left join ledger_transactions t
            on t.id = m.ledger_transaction_id and t.code = 'payout' and substr(t.reference, 1, 33) = REF_PAYOUT
          left join (select i.match_id, sum(i.amount_millimes) as gross from payout_match_items i
                     group by i.match_id) s on s.match_id = m.id
          left join (select p.transaction_id,
                            sum(case when p.debit_account = 'bank_unmatched' then p.amount_millimes
                                     else -p.amount_millimes end) as net
                     from postings p join ledger_transactions o on o.id = p.transaction_id and o.code = 'payout'
                     group by p.transaction_id) b on b.transaction_id = t.id
          where b.net is null or s.gross is null or b.net <> l.amount_minor or s.gross <> m.gross_millimes
             or l.amount_minor
                <> m.gross_millimes - m.fee_millimes - m.tva_millimes + m.remainder_millimes`,
  },
  {
    name: 'each item of a match is known, with its channel and its amount',
    sql: `select i.match_id, i.item_id from payout_match_items i
          left join gateway_items g
            on g.item_id = i.item_id and g.channel = i.channel and g.amount_millimes = i.amount_millimes
          left join agent_confirmations c
            on c.transaction_id = substr(i.item_id, 9) and c.amount_millimes = i.amount_millimes
            and i.channel = 'agent' and i.item_id like 'service:%'
          where g.item_id is null and c.transaction_id is null`,
  },
  {
    name: 'a live match holds its lines and its items, and nothing else is held',
    sql: `select k.line_id as held, k.match_id from payout_claimed_lines k
          left join payout_matches m on m.id = k.match_id and ${IS_LIVE}
          left join payout_match_returns r
            on r.match_id = k.match_id and (r.credit_line_id = k.line_id or r.debit_line_id = k.line_id)
          where m.id is null or (m.line_id <> k.line_id and r.match_id is null)
          union all
          select m.line_id, m.id from payout_matches m
          left join payout_claimed_lines k on k.line_id = m.line_id and k.match_id = m.id
          where k.line_id is null and ${IS_LIVE}
          union all
          select i.item_id, i.match_id from payout_match_items i
          join payout_matches m on m.id = i.match_id
          left join payout_claimed_items k on k.item_id = i.item_id and k.match_id = i.match_id
          where k.item_id is null and ${IS_LIVE}
          union all
          select k.item_id, k.match_id from payout_claimed_items k
          left join payout_match_items i on i.match_id = k.match_id and i.item_id = k.item_id
          left join payout_matches m on m.id = k.match_id and ${IS_LIVE}
          where i.item_id is null or m.id is null`,
  },
  {
    name: 'a payout is reversed when its match was taken back, and only then',
    sql: `select m.id, m.line_id from payout_matches m
          left join payout_unmatches u on u.match_id = m.id
          left join ledger_transactions t on t.reverses_id = m.ledger_transaction_id
          where (u.match_id is null) <> (t.id is null)`,
  },
  {
    name: 'each ledger transaction of a payout has its match',
    sql: `select t.reference from ledger_transactions t
          left join payout_matches m on m.line_id = substr(t.reference, 8, 26) and m.ledger_transaction_id = t.id
          where t.code = 'payout' and m.id is null`,
  },
  {
    // `fee:` has 4 characters. The posting of a reversed match stays, together with its reversal.
    name: 'what a payout cost as a whole is what its matches say beyond the fees of their items',
    sql: `select x.line_id, sum(x.amount) as unexplained
          from (select m.line_id, m.fee_millimes + m.tva_millimes as amount from payout_matches m
                union all
                select m.line_id, -(i.fee_millimes + i.tva_millimes) from payout_match_items i
                join payout_matches m on m.id = i.match_id
                union all
                select substr(t.reference, 5, 26),
                       case when p.debit_account in ('gateway_fees', 'gateway_fees_tva') then -p.amount_millimes
                            else p.amount_millimes end
                from ledger_transactions t join postings p on p.transaction_id = t.id
                where t.code = 'payout_fee') x
          group by x.line_id having sum(x.amount) <> 0`,
  },
  {
    // Items less matched items are the unpaid ones. If the remainders move to a suspense account of each channel,
    // CLEARING_OF_REST names that account, for the remainders and for their write-offs, and the first two parts read it.
    name: 'what the gateway owes through each channel is its unpaid items less fees, its remainders, and what was written off of both',
    sql: `select x.account, sum(x.amount) as unexplained
          from (select p.debit_account as account, p.amount_millimes as amount from postings p
                where p.debit_account like 'gateway_clearing:%'
                union all
                select p.credit_account, -p.amount_millimes from postings p
                where p.credit_account like 'gateway_clearing:%'
                union all
                select coalesce(CLEARING_OF_REST, w.account), -w.amount from ${STANDING_WRITE_OFFS}
                where w.account like 'gateway_clearing:%'
                union all
                select 'gateway_clearing:agent', -c.amount_millimes from agent_confirmations c
                union all
                select CLEARING_OF_ITEM, -i.amount_millimes from gateway_items i
                union all
                select CLEARING_OF_FEE, f.fee_millimes + f.tva_millimes from gateway_item_fees f
                union all
                select CLEARING_OF_ITEM, i.amount_millimes - i.fee_millimes - i.tva_millimes
                from payout_match_items i join payout_matches m on m.id = i.match_id
                where ${IS_LIVE}
                union all
                select CLEARING_OF_REST, m.remainder_millimes from payout_matches m where ${IS_LIVE}) x
          group by x.account having sum(x.amount) <> 0`,
  },
  {
    name: 'what is unmatched in the bank is the posted lines that no match explains',
    sql: `select l.total, m.matched, k.balance
          from (select coalesce(sum(l.amount_minor), 0) as total from bank_statement_lines l
                join ledger_transactions t on t.code = 'statement_line' and t.reference = REF_LINE
                where ${isCounted('l')}) l
          cross join (select coalesce(sum(m.gross_millimes - m.fee_millimes - m.tva_millimes + m.remainder_millimes), 0)
                             as matched
                      from payout_matches m where ${IS_LIVE}) m
          cross join (select coalesce(sum(x.amount), 0) as balance
                      from (select p.amount_millimes as amount from postings p
                            where p.credit_account = 'bank_unmatched' and p.debit_account <> 'write_off'
                            union all
                            select -p.amount_millimes from postings p
                            where p.debit_account = 'bank_unmatched' and p.credit_account <> 'write_off') x) k
          where l.total - m.matched <> k.balance`,
  },
];
