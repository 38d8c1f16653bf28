import type { Invariant } from './invariant';

/**
 * Invariants of the gateway's items and their fees. books-check-read-model.ts replaces CLEARING_OF_…, AGENT_OF_… and
 * REF_… by the SQL of each database.
 */
export const GATEWAY_ITEM_INVARIANTS: readonly Invariant[] = [
  {
    name: 'each gateway item has its one ledger transaction, with its amount, channel and source',
    sql: `select i.item_id from gateway_items i
          left join ledger_transactions t
            on t.id = i.ledger_transaction_id and t.reference = i.item_id
            and t.code = case when i.amount_millimes < 0 then 'refund' else 'payment' end
          left join postings p
            on p.transaction_id = t.id and p.amount_millimes = abs(i.amount_millimes)
            and CLEARING_OF_ITEM = case when i.amount_millimes < 0 then p.credit_account else p.debit_account end
            and case when i.agent_id is null then 'payments_received' else AGENT_OF_ITEM end
                = case when i.amount_millimes < 0 then p.debit_account else p.credit_account end
          where t.id is null or p.transaction_id is null
             or (select count(*) from postings q where q.transaction_id = t.id) <> 1`,
  },
  {
    name: 'each ledger transaction of a payment or a refund has its gateway item',
    sql: `select t.reference from ledger_transactions t
          where t.code in ('payment', 'refund')
            and not exists (select 1 from gateway_items i
                            where i.item_id = t.reference and i.ledger_transaction_id = t.id)`,
  },
  {
    name: 'each report of a fee is posted, fee and TVA apart',
    sql: `select f.reference from gateway_item_fees f
          left join ledger_transactions t
            on t.id = f.ledger_transaction_id and t.reference = f.reference
            and t.code = case when f.reference = REF_FEE then 'fee' else 'fee_correction' end
          where (t.id is null and (f.fee_millimes <> 0 or f.tva_millimes <> 0))
             or f.fee_millimes
                <> (select coalesce(sum(case when p.debit_account = 'gateway_fees' and p.credit_account = CLEARING_OF_FEE
                                             then p.amount_millimes
                                             when p.credit_account = 'gateway_fees' and p.debit_account = CLEARING_OF_FEE
                                             then -p.amount_millimes else 0 end), 0)
                    from postings p where p.transaction_id = f.ledger_transaction_id)
             or f.tva_millimes
                <> (select coalesce(sum(case when p.debit_account = 'gateway_fees_tva' and p.credit_account = CLEARING_OF_FEE
                                             then p.amount_millimes
                                             when p.credit_account = 'gateway_fees_tva' and p.debit_account = CLEARING_OF_FEE
                                             then -p.amount_millimes else 0 end), 0)
                    from postings p where p.transaction_id = f.ledger_transaction_id)
             or (select count(*) from postings q where q.transaction_id = f.ledger_transaction_id)
                <> abs(sign(f.fee_millimes)) + abs(sign(f.tva_millimes))`,
  },
  {
    name: 'each report of a fee is of an item of its channel, and a correction follows a first report',
    sql: `select f.reference from gateway_item_fees f
          left join gateway_items i on i.item_id = f.item_id and i.channel = f.channel
          left join agent_confirmations c
            on c.transaction_id = substr(f.item_id, 9) and f.channel = 'agent' and f.item_id like 'service:%'
          left join gateway_item_fees o on o.reference = REF_FEE
          where (i.item_id is null and c.transaction_id is null) or o.reference is null`,
  },
  {
    name: 'each ledger transaction of a fee has its report',
    sql: `select t.reference from ledger_transactions t
          where t.code in ('fee', 'fee_correction')
            and not exists (select 1 from gateway_item_fees f
                            where f.reference = t.reference and f.ledger_transaction_id = t.id)`,
  },
  {
    name: 'each refund takes back a payment of the same channel and agent',
    sql: `select i.item_id, i.refund_of from gateway_items i
          left join gateway_items o on o.item_id = i.refund_of
          where i.amount_millimes = 0
             or (i.amount_millimes > 0 and i.refund_of is not null)
             or (i.amount_millimes < 0
                 and (o.item_id is null or o.amount_millimes <= 0 or o.channel <> i.channel
                      or coalesce(o.agent_id, '') <> coalesce(i.agent_id, '')))`,
  },
  {
    name: 'no payment is refunded for more than it brought',
    sql: `select r.refund_of, r.total, o.amount_millimes
          from (select i.refund_of, sum(i.amount_millimes) as total from gateway_items i
                where i.refund_of is not null group by i.refund_of) r
          join gateway_items o on o.item_id = r.refund_of
          where o.amount_millimes + r.total < 0`,
  },
  {
    // Two counts in one pass: a join of the union would be read once per item.
    name: 'each gateway item but a refund is named by the one payment, charge or QR transaction that brought it',
    sql: `select x.item_id, sum(x.held) as held, sum(x.named) as named
          from (select i.item_id, 1 as held, 0 as named from gateway_items i where i.amount_millimes > 0
                union all
                select p.item_id, 0, 1 from payments p where p.item_id is not null
                union all
                select c.item_id, 0, 1 from subscription_charges c where c.item_id is not null
                union all
                select q.item_id, 0, 1 from qr_transactions q where q.item_id is not null) x
          group by x.item_id having sum(x.held) <> sum(x.named)`,
  },
  {
    name: "the posted amount of a payment is what was captured, or else Millime's share, for its agent",
    sql: `select p.tracking_id, p.item_id from payments p
          left join gateway_items i on i.item_id = p.item_id
            and i.amount_millimes = coalesce(p.captured_millimes, p.our_share_millimes)
            and coalesce(i.agent_id, '') = coalesce(p.agent_id, '')
          where p.item_id is not null and i.item_id is null`,
  },
  {
    name: "what is posted of a subscription's charge is its amount, for the subscription's agent",
    sql: `select c.payment_id, c.item_id from subscription_charges c
          left join subscriptions s on s.tracking_id = c.tracking_id
          left join gateway_items i on i.item_id = c.item_id and i.channel = 'subscription'
            and i.amount_millimes = c.amount_millimes
            and coalesce(i.agent_id, '') = coalesce(s.agent_id, '')
          where c.item_id is not null and (i.item_id is null or s.tracking_id is null)`,
  },
  {
    // The merchant's history may contain a payment before Millime knows its agent: the fact `agent` of the break names it.
    name: "what is posted of a QR transaction is its amount, for its code's agent unless a break says why not",
    sql: `select q.transaction_unique_id, q.item_id from qr_transactions q
          left join payments p on p.tracking_id = q.tracking_id
          left join gateway_items i on i.item_id = q.item_id and i.channel = 'qr'
            and i.amount_millimes = q.amount_millimes
          where q.item_id is not null
            and (i.item_id is null
                 or (coalesce(i.agent_id, '') <> coalesce(p.agent_id, '')
                     and not (i.agent_id is null
                              and exists (select 1 from recon_breaks b
                                          where substr(b.fingerprint, 1, 43) = MISMATCH_OF_CODE
                                            and substr(b.fingerprint, 44, 7) = ':agent:'))))`,
  },
  {
    name: 'no test money is in the books',
    sql: `select p.item_id from payments p where p.is_test = 1 and p.item_id is not null
          union all
          select c.item_id from subscription_charges c join subscriptions s on s.tracking_id = c.tracking_id
          where s.is_test = 1 and c.item_id is not null
          union all
          select q.item_id from qr_transactions q join payments p on p.tracking_id = q.tracking_id
          where p.is_test = 1 and q.item_id is not null`,
  },
];
