import { column, rowCodec, type Session } from '../../db';
import type { BusinessCalendar, BusinessDate, Instant } from '../../kernel';
import type { TimelineEntry } from './timeline-entry';
import { ROWS_PER_SOURCE, type TimelinePayment } from './timeline-payment';

const POSTED = rowCodec({
  id: column.text('id'),
  reference: column.text('reference'),
  code: column.text('code'),
  occurredAt: column.number('occurred_at'),
  at: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
});
const AMOUNT = rowCodec({ id: column.text('transaction_id'), total: column.total('total') });
const FEE_REFERENCE = rowCodec({ reference: column.text('reference') });
const MATCHED = rowCodec({
  matchId: column.text('match_id'),
  itemId: column.text('item_id'),
  amount: column.millimes('amount_millimes'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
  evidence: column.text('evidence'),
  creditId: column.text('line_id'),
  runId: column.optional(column.text('run_id')),
  matchKind: column.text('match_kind'),
  at: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
  approvedBy: column.optional(column.text('approved_by')),
  account: column.text('account'),
  bookedOn: column.businessDate('booking_date'),
  occurredAt: column.number('occurred_at'),
});
const UNMATCHED = rowCodec({
  matchId: column.text('match_id'),
  unmatchKind: column.text('kind'),
  runId: column.optional(column.text('run_id')),
  reason: column.text('reason'),
  at: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
});
const SEAL = rowCodec({
  number: column.number('number'),
  kind: column.text('kind'),
  day: column.businessDate('business_date'),
  at: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
});

/** A match that held the payment, with the credit that it paid. */
export interface PastMatch {
  readonly matchId: string;
  readonly creditId: string;
}

/** What the ledger and the bank say about a payment. */
export interface MoneyEntries {
  readonly entries: readonly TimelineEntry[];
  readonly matches: readonly PastMatch[];
}

/** Returns the postings, the matches and the closings of the days of a payment's money. */
export async function moneyEntries(
  session: Session,
  { itemIds }: TimelinePayment,
  { dateOf }: Pick<BusinessCalendar, 'dateOf'>,
): Promise<MoneyEntries> {
  if (itemIds.length === 0) return { entries: [], matches: [] };
  const posted = await postings(session, itemIds);
  const matched = await MATCHED.all(matchesQuery(session, itemIds));
  const creditOf = new Map(matched.map(({ matchId, creditId }) => [matchId, creditId]));
  const unmatched = await UNMATCHED.all(
    session('payout_unmatches as u')
      .select(UNMATCHED.columns('u'))
      .whereIn('u.match_id', [...creditOf.keys()]),
  );
  const instants: Instant[] = [...posted, ...matched].map(({ occurredAt }) => occurredAt);
  return {
    entries: [
      ...(await postedEntries(session, posted)),
      ...matched.map(({ matchId, occurredAt: _occurredAt, ...row }): TimelineEntry => {
        return { kind: 'matched', from: matchId, id: `${matchId} ${row.itemId}`, ...row };
      }),
      ...unmatched.map(({ matchId, ...row }): TimelineEntry => {
        return { kind: 'unmatched', from: matchId, id: matchId, creditId: creditOf.get(matchId) ?? '', ...row };
      }),
      ...(await dayEntries(session, [...new Set(instants.map(dateOf))])),
    ],
    matches: [...creditOf].map(([matchId, creditId]) => ({ matchId, creditId })),
  };
}

type Posted = ReturnType<typeof POSTED.read>;

/** Reads the postings of the items, of their fees, and the reversals of either. */
async function postings(session: Session, itemIds: readonly string[]): Promise<Posted[]> {
  const fees = await FEE_REFERENCE.all(
    session('gateway_item_fees as f')
      .select('f.reference')
      .whereIn('f.item_id', [...itemIds])
      .orderBy('f.reference')
      .limit(ROWS_PER_SOURCE),
  );
  const references = [...itemIds, ...fees.map(({ reference }) => reference)];
  const select = (): ReturnType<Session> => session('ledger_transactions as t').select(POSTED.columns('t'));
  const posted = await POSTED.all(select().whereIn('t.reference', references));
  const ids = posted.map(({ id }) => id);
  return [...posted, ...(await POSTED.all(select().whereIn('t.reverses_id', ids)))];
}

async function postedEntries(session: Session, posted: readonly Posted[]): Promise<TimelineEntry[]> {
  const query = session('postings as p')
    .select('p.transaction_id', session.fragment('cast(sum(p.amount_millimes) as char) as total'))
    .whereIn(
      'p.transaction_id',
      posted.map(({ id }) => id),
    )
    .groupBy('p.transaction_id');
  const amounts = new Map((await AMOUNT.all(query)).map(({ id, total }) => [id, total]));
  return posted.map((row) => ({ kind: 'posted', from: row.id, amount: amounts.get(row.id) ?? 0n, ...row }));
}

function matchesQuery(session: Session, itemIds: readonly string[]): ReturnType<Session> {
  return session('payout_match_items as i')
    .join('payout_matches as m', 'm.id', 'i.match_id')
    .join('bank_statement_lines as l', 'l.id', 'm.line_id')
    .join('ledger_transactions as t', 't.id', 'm.ledger_transaction_id')
    .select(['i.match_id', 'i.item_id', 'i.amount_millimes', 'i.fee_millimes', 'i.tva_millimes', 'i.evidence'])
    .select(['m.line_id', 'm.run_id', 'm.kind as match_kind', 'm.recorded_at', 'm.recorded_by', 'm.approved_by'])
    .select(['l.account', 'l.booking_date', 't.occurred_at'])
    .whereIn('i.item_id', [...itemIds])
    .orderBy('i.match_id', 'desc')
    .limit(ROWS_PER_SOURCE);
}

/** Returns the closings and reopenings of the days on which the ledger has the money. */
async function dayEntries(session: Session, days: readonly BusinessDate[]): Promise<TimelineEntry[]> {
  const query = session('day_seals as s')
    .select(SEAL.columns('s'))
    .whereIn('s.business_date', [...days])
    .orderBy('s.number', 'desc')
    .limit(ROWS_PER_SOURCE);
  return (await SEAL.all(query)).map(({ number, kind, ...row }): TimelineEntry => {
    const of = { from: String(number), id: String(number) };
    return { kind: kind === 'reopened' ? 'day_reopened' : 'day_closed', ...of, ...row };
  });
}
