import { optionalText, rowsOf, type Row, type Session } from '../../db';
import { toTotal, type Instant } from '../../kernel';
import type { Movement } from './day-proof';

const CLEARING = 'gateway_clearing:';
const ITEMS_PER_PAGE = 2_000;
const KEYS_PER_STATEMENT = 400;

/** An item that no payout has paid, as the ledger has it. */
export interface OpenItem {
  readonly itemId: string;
  readonly channel: string;
  /** Less the fees of it that are posted. */
  readonly amount: bigint;
  readonly occurredAt: Instant;
}

/** What a forced match leaves in its channel: positive when the payout was less than its items. */
export interface ForcedRemainder {
  readonly channel: string;
  readonly amount: bigint;
  readonly recordedAt: Instant;
}

/** What the ledger says of `gateway_clearing`, by `recorded_at`. */
export interface ProofStore {
  /** What moved from and with `from`, before `to`: summed by why and against what. */
  movements(from: Instant, to: Instant): Promise<Movement[]>;
  /** The items recorded before `end` that no payout recorded before `end` has paid, page by page. */
  openItems(end: Instant): AsyncGenerator<readonly OpenItem[]>;
  /** What people forced: matches that stood at `end` and whose payout is not the sum of their items. */
  forcedRemainders(end: Instant): Promise<ForcedRemainder[]>;
  /** How many ledger transactions of these instants belong into a day before. */
  lateTransactions(from: Instant, to: Instant): Promise<number>;
}

export function openProofStore(session: Session): ProofStore {
  async function* pages({ sql, ends }: Unpaid, end: Instant): AsyncGenerator<readonly OpenItem[]> {
    let after = '';
    for (;;) {
      const rows = await session.raw(sql, [after, ...Array<Instant>(ends).fill(end), ITEMS_PER_PAGE]);
      const fees = await postedFees(session, rows.map(referenceOf), end);
      if (rows.length > 0) yield rows.map((row) => toOpenItem(row, fees));
      const last = rows.at(-1);
      if (last === undefined || rows.length < ITEMS_PER_PAGE) return;
      after = String(last['id']);
    }
  }

  return {
    async movements(from, to) {
      const rows = await session.raw(MOVEMENTS, [from, to, from, to]);
      return rows.map(toMovement);
    },
    async *openItems(end) {
      yield* pages(UNCLAIMED, end);
      yield* pages(CLAIMED_LATER, end);
    },
    async forcedRemainders(end) {
      const rows = await rowsOf(
        session('payout_matches as m')
          .join('ledger_transactions as t', 't.id', 'm.ledger_transaction_id')
          .select('m.rest_channel', 'm.remainder_millimes', 't.recorded_at')
          .whereNot('m.remainder_millimes', 0)
          .where('t.recorded_at', '<', end)
          .whereRaw(NOT_TAKEN_BACK, [end]),
      );
      return rows.map((row) => ({
        channel: String(row['rest_channel']),
        amount: -toTotal(row['remainder_millimes']),
        recordedAt: Number(row['recorded_at']),
      }));
    },
    async lateTransactions(from, to) {
      const [row] = await rowsOf(
        session('ledger_late_transactions as l')
          .count('* as n')
          .where('l.recorded_at', '>=', from)
          .where('l.recorded_at', '<', to),
      );
      return Number(row?.['n'] ?? 0);
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
 * Each item has one ledger transaction with one posting, and its reference is the id under which it is matched. Who holds
 * an item now says nearly all: an item that no match holds is unpaid unless one held it then, and an item that is held is
 * unpaid only if its match came after. So all that was paid long ago costs one look at a key, or none.
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
  /** How often the end of the day is bound, after the id of the page and before its size. */
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

/** Fee and TVA by item: `fee:<item>`, `fee-fix:<item>` and what a later report added, less what was taken back. */
async function postedFees(session: Session, items: readonly string[], end: Instant): Promise<Map<string, bigint>> {
  const fees = new Map<string, bigint>();
  for (let at = 0; at < items.length; at += KEYS_PER_STATEMENT) {
    const page = items.slice(at, at + KEYS_PER_STATEMENT);
    const itemOf = new Map<string, string>();
    for (const item of page) itemOf.set(`fee:${item}`, item).set(`fee-fix:${item}`, item);
    const later = await rowsOf(
      session('gateway_item_fees as f').select('f.reference', 'f.item_id').whereIn('f.item_id', page),
    );
    for (const row of later) itemOf.set(String(row['reference']), String(row['item_id']));
    const rows = await rowsOf(
      session('ledger_transactions as t')
        .join('postings as p', 'p.transaction_id', 't.id')
        .select('t.reference', session.fragment(FEE_OF_CLEARING))
        .whereIn('t.reference', [...itemOf.keys()])
        .where('t.recorded_at', '<', end)
        .whereRaw(NOT_TAKEN_BACK, [end])
        .groupBy('t.reference'),
    );
    for (const row of rows) {
      const item = itemOf.get(referenceOf(row)) ?? '';
      fees.set(item, (fees.get(item) ?? 0n) + toTotal(row['total']));
    }
  }
  return fees;
}

function referenceOf(row: Row): string {
  return String(row['reference']);
}

function toOpenItem(row: Row, fees: ReadonlyMap<string, bigint>): OpenItem {
  const debit = String(row['debit_account']);
  const owed = debit.startsWith(CLEARING);
  const gross = toTotal(row['amount_millimes']);
  const itemId = referenceOf(row);
  return {
    itemId,
    channel: (owed ? debit : String(row['credit_account'])).slice(CLEARING.length),
    amount: (owed ? gross : -gross) - (fees.get(itemId) ?? 0n),
    occurredAt: Number(row['occurred_at']),
  };
}

function toMovement(row: Row): Movement {
  const other = row['other'];
  return {
    channel: String(row['account']).slice(CLEARING.length),
    code: String(row['code']),
    reverses: optionalText(row['reverses']),
    other: other === 'gateway_fees' || other === 'gateway_fees_tva' || other === 'write_off' ? other : undefined,
    amount: toTotal(row['total']),
  };
}
