import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../../db';
import { addDays, pagesOf } from '../../kernel';
import type { PastMatch } from './money-entries-read-model';
import type { TimelineEntry } from './timeline-entry';
import { ROWS_PER_SOURCE, type TimelinePayment } from './timeline-payment';

interface Subject {
  readonly itemIds: readonly string[];
  readonly facts: Readonly<Record<string, string | number>>;
}

const BREAK = rowCodec({
  id: column.text('id'),
  fingerprint: column.text('fingerprint'),
  breakClass: column.text('class'),
  subject: column.json('subject', (value) => value as Subject),
});
const EVENT = rowCodec({
  breakId: column.text('break_id'),
  position: column.number('position'),
  kind: column.text('kind'),
  actor: column.text('actor'),
  at: column.number('at'),
  detail: column.json('detail', (value) => value as { readonly resolution?: string }),
});
const CALL = rowCodec({ fingerprint: column.text('fingerprint') });

/** Breaks of one payment, code or subscription have the fingerprint `<class>:<id>`, which a detail may follow. */
const OF_ONE_PAYMENT = [
  ...['late_settlement', 'late_success', 'settlement_regressed', 'refund_not_reflected', 'webhook_mismatch'],
  ...[
    'outcome_unknown',
    'pos_unknown',
    'qr_paid_twice',
    'fee_unexplained',
    'duplicate_charge_period',
    'amount_differs',
  ],
];
/** Breaks of refused calls have the fingerprint of the call. */
const OF_REFUSED_CALL = ['paid_but_rejected', 'conflicting_duplicate'];
/** Breaks of a credit have the fingerprint `<class>:<credit>`. */
const OF_CREDIT = ['ambiguous_payout', 'amount_differs', 'fee_unexplained', 'missing_in_book', 'returned_payout'];
/** Breaks of many payments, or of a credit, that runs find. The day from which they age is near the payment's. */
const OF_MANY = ['missing_in_bank', 'clearing_unexplained', 'ambiguous_payout', 'amount_differs', 'fee_unexplained'];
const STATUSES = ['open', 'assigned', 'proposed', 'resolved'];
/** A break of a month ages from its first payment, and a credit is booked within two months. */
const DAYS_BEFORE = 31;
const DAYS_AFTER = 62;

const SHOWN = { opened: 'break_opened', reopened: 'break_reopened', resolved: 'break_resolved' } as const;

/**
 * Returns how the breaks began and ended that name a payment, or named it when they ended, and those of its credits and
 * of refused calls with its transactionId.
 */
export async function breakEntries(
  session: Session,
  payment: TimelinePayment,
  matches: readonly PastMatch[],
): Promise<TimelineEntry[]> {
  const ofCredits = [...(await ofRefusedCalls(session, payment)), ...matches.flatMap(fingerprintsOf)];
  const contradicted = matches.map(({ matchId }) => `ambiguous_payout:contradicted:${matchId}`);
  const found = await BREAK.all(breaksByFingerprint(session, payment, [...ofCredits, ...contradicted]));
  if (payment.itemIds.length > 0) found.push(...(await BREAK.all(breaksOfRuns(session, payment))));
  const shown = found.filter(({ fingerprint, subject }) => ofCredits.includes(fingerprint) || names(subject, payment));
  return eventEntries(session, new Map(shown.map((each) => [each.id, each])));
}

function names({ itemIds, facts }: Subject, payment: TimelinePayment): boolean {
  const isOfAttempt = payment.source === 'attempt' && facts['trackingId'] === payment.id;
  return isOfAttempt || payment.itemIds.some((itemId) => itemIds.includes(itemId));
}

async function ofRefusedCalls(session: Session, { source, id }: TimelinePayment): Promise<string[]> {
  if (source !== 'confirm') return [];
  const refused = session('confirm_refusals as r')
    .select('r.fingerprint')
    .where('r.transaction_id', id)
    .orderBy('r.id', 'desc')
    .limit(ROWS_PER_SOURCE);
  const calls = await CALL.all(refused);
  return calls.flatMap(({ fingerprint }) => OF_REFUSED_CALL.map((each) => `${each}:${fingerprint}`));
}

function fingerprintsOf({ matchId, creditId }: PastMatch): string[] {
  return [...OF_CREDIT.map((each) => `${each}:${creditId}`), `amount_differs:match:${matchId}`];
}

/** Reads breaks by the unique index of their fingerprints. */
function breaksByFingerprint(
  session: Session,
  { trackingId, gatewayId, itemIds }: TimelinePayment,
  exact: readonly string[],
): ReturnType<Session> {
  const ids = [trackingId, gatewayId, ...itemIds].filter((id) => id !== undefined);
  const fees = itemIds.flatMap((itemId) => [`fee:${itemId}`, `fee-fix:${itemId}`]);
  const begins = OF_ONE_PAYMENT.flatMap((each) => [...ids, ...fees].map((name) => `${each}:${name}`));
  return session('recon_breaks as b')
    .select(BREAK.columns('b'))
    .where((either) => {
      void either.whereIn('b.fingerprint', [...exact, ...begins]);
      // The column compares bytes, and `;` follows `:`.
      for (const each of begins) void either.orWhereBetween('b.fingerprint', [`${each}:`, `${each};`]);
    })
    .limit(ROWS_PER_SOURCE);
}

/** Reads the breaks of runs around the day of a payment whose rows name it. The rows are stored as JSON. */
function breaksOfRuns(session: Session, { day, itemIds }: TimelinePayment): ReturnType<Session> {
  return session('recon_breaks as b')
    .select(BREAK.columns('b'))
    .whereIn('b.status', STATUSES)
    .whereBetween('b.since', [addDays(day, -DAYS_BEFORE), addDays(day, DAYS_AFTER)])
    .whereIn('b.class', OF_MANY)
    .where((either) => {
      for (const itemId of itemIds) void either.orWhereRaw('instr(b.subject, ?) > 0', [JSON.stringify(itemId)]);
    })
    .limit(ROWS_PER_SOURCE);
}

async function eventEntries(
  session: Session,
  breaks: ReadonlyMap<string, Decoded<typeof BREAK>>,
): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for (const page of pagesOf([...breaks.keys()], ROWS_PER_STATEMENT)) {
    const query = session('recon_break_events as e')
      .select(EVENT.columns('e'))
      .whereIn('e.break_id', page)
      .whereIn('e.kind', Object.keys(SHOWN));
    for (const event of await EVENT.all(query)) {
      entries.push(eventEntry(event, breaks.get(event.breakId)?.breakClass ?? ''));
    }
  }
  return entries;
}

function eventEntry(
  { breakId, position, kind, actor, at, detail }: Decoded<typeof EVENT>,
  breakClass: string,
): TimelineEntry {
  const id = `${breakId} ${String(position).padStart(9, '0')}`;
  const of = { at, from: breakId, id, breakClass, actor };
  if (kind === 'resolved') return { kind: SHOWN.resolved, ...of, resolution: detail.resolution ?? '' };
  return { kind: kind === 'reopened' ? SHOWN.reopened : SHOWN.opened, ...of };
}
