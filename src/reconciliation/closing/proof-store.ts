import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../../db';
import { type Instant, pagesOf } from '../../kernel';
import type { Movement } from './day-proof';

const CLEARING = 'gateway_clearing:';
const ITEMS_PER_PAGE = 2_000;

const OPEN_ITEM = rowCodec({
  id: column.text('id'),
  reference: column.text('reference'),
  occurredAt: column.number('occurred_at'),
  debit: column.text('debit_account'),
  credit: column.text('credit_account'),
  amount: column.total('amount_millimes'),
});
const MOVEMENT = rowCodec({
  account: column.text('account'),
  code: column.text('code'),
  reverses: column.optional(column.text('reverses')),
  other: column.optional(column.word('other', ['gateway_fees', 'gateway_fees_tva', 'write_off'])),
  amount: column.total('total'),
});
const REMAINDER = rowCodec({
  channel: column.text('rest_channel'),
  amount: column.total('remainder_millimes'),
});
const RECORDED = rowCodec({ recordedAt: column.number('recorded_at') });
const FORCED_REMAINDER = rowCodec({ ...REMAINDER.fields, ...RECORDED.fields });
const COUNT = rowCodec({ count: column.number('n') });
const FEE_REFERENCE = rowCodec({ reference: column.text('reference'), itemId: column.text('item_id') });
const FEE = rowCodec({ reference: column.text('reference'), amount: column.total('total') });

/** An item that no payout has paid, as the ledger has it. */
export interface OpenItem {
  readonly itemId: string;
  readonly channel: string;
  /** Net of its posted fees. */
  readonly amount: bigint;
  readonly occurredAt: Instant;
}

/** The remainder of a forced match in its channel: positive if the payout was less than its items. */
export type ForcedRemainder = Decoded<typeof FORCED_REMAINDER>;

/** Reads `gateway_clearing` in the ledger, by `recorded_at`. */
export interface ProofStore {
  /** Returns the movements from `from` inclusive to `to` exclusive, summed by code and opposite account. */
  movements(from: Instant, to: Instant): Promise<Movement[]>;
  /** Yields, in pages, the items recorded before `end` that no payout recorded before `end` has paid. */
  openItems(end: Instant): AsyncGenerator<readonly OpenItem[]>;
  /** Returns the remainders of forced matches that were live at `end`. */
  forcedRemainders(end: Instant): Promise<ForcedRemainder[]>;
  /** Counts the ledger transactions of these instants that belong to an earlier day. */
  lateTransactions(from: Instant, to: Instant): Promise<number>;
}

export function openProofStore(session: Session): ProofStore {
  async function* pages({ sql, ends }: Unpaid, end: Instant): AsyncGenerator<readonly OpenItem[]> {
    let after = '';
    for (;;) {
      const found = await OPEN_ITEM.all(session.raw(sql, [after, ...Array<Instant>(ends).fill(end), ITEMS_PER_PAGE]));
      const references = found.map(({ reference }) => reference);
      const fees = await postedFees(session, references, end);
      if (found.length > 0) yield found.map((item) => toOpenItem(item, fees));
      const last = found.at(-1);
      if (last === undefined || found.length < ITEMS_PER_PAGE) return;
      after = last.id;
    }
  }

  return {
    async movements(from, to) {
      const found = await MOVEMENT.all(session.raw(MOVEMENTS, [from, to, from, to]));
      return found.map(({ account, ...movement }) => ({ channel: account.slice(CLEARING.length), ...movement }));
    },
    async *openItems(end) {
      yield* pages(UNCLAIMED, end);
      yield* pages(CLAIMED_LATER, end);
    },
    async forcedRemainders(end) {
      const remainders = await FORCED_REMAINDER.all(
        session('payout_matches as m')
          .join('ledger_transactions as t', 't.id', 'm.ledger_transaction_id')
          .select(...REMAINDER.columns('m'), ...RECORDED.columns('t'))
          .whereNot('m.remainder_millimes', 0)
          .where('t.recorded_at', '<', end)
          .whereRaw(NOT_TAKEN_BACK, [end]),
      );
      return remainders.map((remainder) => ({ ...remainder, amount: -remainder.amount }));
    },
    async lateTransactions(from, to) {
      const late = await COUNT.first(
        session('ledger_late_transactions as l')
          .count('* as n')
          .where('l.recorded_at', '>=', from)
          .where('l.recorded_at', '<', to),
      );
      return late?.count ?? 0;
    },
  };
}

function clearingSide(side: string, otherSide: string, amount: string): string {
  return `select p.${side} as account, ${amount} as amount, t.code, o.code as reverses,
                 case when p.${otherSide} in ('gateway_fees', 'gateway_fees_tva', 'write_off')
                      then p.${otherSide} end as other
          from ledger_transactions t
          join postings p on p.transaction_id = t.id
          left join ledger_transactions o on o.id = t.reverses_id
          where t.recorded_at >= ? and t.recorded_at < ? and p.${side} like 'gateway_clearing:%'`;
}

const MOVEMENTS = `
  select x.account, x.code, x.reverses, x.other, cast(sum(x.amount) as char) as total
  from (${clearingSide('debit_account', 'credit_account', 'p.amount_millimes')}
        union all ${clearingSide('credit_account', 'debit_account', '-p.amount_millimes')}) x
  group by x.account, x.code, x.reverses, x.other`;

/**
 * Each item has one ledger transaction with one posting, whose reference is the item's id. Two conditions cover every
 * unpaid item: no match holds it now and none held it at `end`, or its match was recorded after `end`. So an item that
 * was paid long ago costs at most one key lookup.
 */
const UNCLAIMED: Unpaid = {
  sql: unpaid(
    'ledger_transactions t',
    'not exists (select 1 from payout_claimed_items k where k.item_id = t.reference)',
  ),
  ends: 3,
};
const CLAIMED_LATER: Unpaid = {
  sql: unpaid(
    `ledger_transactions v
     join payout_matches n on n.ledger_transaction_id = v.id
     join payout_claimed_items k on k.match_id = n.id
     join ledger_transactions t on t.reference = k.item_id`,
    'v.recorded_at >= ?',
  ),
  ends: 4,
};

interface Unpaid {
  readonly sql: string;
  /** The number of bindings with the end of the day. They come after the id of the page and before its size. */
  readonly ends: number;
}

function unpaid(from: string, condition: string): string {
  return `
  select t.id, t.reference, t.occurred_at, p.debit_account, p.credit_account, p.amount_millimes
  from ${from}
  join postings p on p.transaction_id = t.id and p.position = 1
  where t.id > ? and t.recorded_at < ? and t.code in ('agent_payment', 'payment', 'refund') and ${condition}
    and not exists (select 1 from payout_match_items i
                    join payout_matches m on m.id = i.match_id
                    join ledger_transactions w on w.id = m.ledger_transaction_id
                    where i.item_id = t.reference and w.recorded_at < ?
                      and not exists (select 1 from ledger_transactions r
                                      where r.reverses_id = w.id and r.recorded_at < ?))
  order by t.id limit ?`;
}

const NOT_TAKEN_BACK =
  'not exists (select 1 from ledger_transactions r where r.reverses_id = t.id and r.recorded_at < ?)';

const FEE_OF_CLEARING = `
  cast(sum(case when p.credit_account like 'gateway_clearing:%' then p.amount_millimes
                when p.debit_account like 'gateway_clearing:%' then -p.amount_millimes else 0 end) as char) as total`;

/** Returns fee plus TVA by item: `fee:<item>`, `fee-fix:<item>` and later corrections, less reversals. */
async function postedFees(session: Session, items: readonly string[], end: Instant): Promise<Map<string, bigint>> {
  const fees = new Map<string, bigint>();
  for (const page of pagesOf(items, ROWS_PER_STATEMENT)) {
    const itemOf = new Map<string, string>();
    for (const item of page) itemOf.set(`fee:${item}`, item).set(`fee-fix:${item}`, item);
    const later = await FEE_REFERENCE.all(
      session('gateway_item_fees as f').select(FEE_REFERENCE.columns('f')).whereIn('f.item_id', page),
    );
    for (const { reference, itemId } of later) itemOf.set(reference, itemId);
    const posted = await FEE.all(
      session('ledger_transactions as t')
        .join('postings as p', 'p.transaction_id', 't.id')
        .select('t.reference', session.fragment(FEE_OF_CLEARING))
        .whereIn('t.reference', [...itemOf.keys()])
        .where('t.recorded_at', '<', end)
        .whereRaw(NOT_TAKEN_BACK, [end])
        .groupBy('t.reference'),
    );
    for (const { reference, amount } of posted) {
      const item = itemOf.get(reference) ?? '';
      fees.set(item, (fees.get(item) ?? 0n) + amount);
    }
  }
  return fees;
}

function toOpenItem(item: Decoded<typeof OPEN_ITEM>, fees: ReadonlyMap<string, bigint>): OpenItem {
  const { reference: itemId, debit, credit, amount: gross, occurredAt } = item;
  const owed = debit.startsWith(CLEARING);
  const channel = (owed ? debit : credit).slice(CLEARING.length);
  return { itemId, channel, amount: (owed ? gross : -gross) - (fees.get(itemId) ?? 0n), occurredAt };
}
