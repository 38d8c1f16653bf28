import { column, type Decoded, rowCodec, type Session } from '../db';
import { addToGroup, type Instant } from '../kernel';
import { isEffectiveLine } from './effective-statements';
import { IS_HELD_TWICE, isInForce } from './ledger-date';
import { isPayoutLine } from './payout-marks';
import type { ReportPeriod } from './report-document';

/** The credits of a report: those of a period by booking date, or one. */
export type CreditsWanted = ReportPeriod | { readonly lineId: string };

export const LINE = rowCodec({
  lineId: column.text('id'),
  account: column.text('account'),
  bookingDate: column.businessDate('booking_date'),
  valueDate: column.optional(column.text('value_date')),
  amount: column.millimes('amount_minor'),
  counterparty: column.text('counterparty'),
  remittance: column.text('remittance'),
});
export const MATCH = rowCodec({
  matchId: column.text('id'),
  lineId: column.text('line_id'),
  kind: column.text('kind'),
  model: column.optional(column.text('model')),
  stream: column.optional(column.text('stream')),
  evidence: column.text('evidence'),
  gross: column.millimes('gross_millimes'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
  remainder: column.millimes('remainder_millimes'),
  /** The claimed error in its stored form; undefined for a match by a person. */
  claimedError: column.optional(column.text('claimed_error')),
  cutAfter: column.optional(column.number('cut_after')),
  cutUntil: column.optional(column.number('cut_until')),
  recordedAt: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
});
const ITEMS = rowCodec({
  matchId: column.text('match_id'),
  channel: column.text('channel'),
  evidence: column.text('evidence'),
  count: column.number('items'),
  amount: column.total('total'),
  /** The sum of agents' payments that were received after the instant, or that an earlier match holds too. */
  ahead: column.total('ahead'),
});
const AHEAD = `cast(sum(case when i.channel = 'agent' and (c.received_at >= ? or ${IS_HELD_TWICE})
                             then i.amount_millimes end) as char) as ahead`;
const LINE_ID = rowCodec({ lineId: column.text('line_id') });

/** A bank credit that may be a payout. */
export type Credit = Decoded<typeof LINE>;
/** A match that holds at an instant. In millimes: gross − fee − tva + remainder = its credit. */
export type CreditMatch = Decoded<typeof MATCH>;
/** The items of one channel and grade of evidence in a match. */
export type MatchItems = Omit<Decoded<typeof ITEMS>, 'matchId'>;

export interface ExplainedCredit {
  readonly line: Credit;
  readonly match: CreditMatch | undefined;
  readonly items: readonly MatchItems[];
  /** The bank returned it and it was paid again: the match belongs to the other credit. */
  readonly returned: boolean;
}

/** Reads the credits, by booking date and id, each with the match that is in force at `end`. */
export async function explainedCredits(
  session: Session,
  wanted: CreditsWanted,
  end: Instant,
): Promise<ExplainedCredit[]> {
  const lines = await LINE.all(
    creditsIn(session, 'bank_statement_lines as l', wanted)
      .select(LINE.columns('l'))
      .whereRaw(isEffectiveLine('l'))
      .orderBy(['l.booking_date', 'l.id']),
  );
  const matches = new Map((await matchesOf(session, wanted, end)).map((match) => [match.lineId, match]));
  const items = await itemsOf(session, wanted, end);
  const returned = new Set(
    (
      await LINE_ID.all(
        session('payout_match_returns as b')
          .join('payout_matches as m', 'm.id', 'b.match_id')
          .join('ledger_transactions as w', 'w.id', 'm.ledger_transaction_id')
          .select('b.credit_line_id as line_id')
          .whereRaw(isInForce('m', 'w'), [end, end]),
      )
    ).map(({ lineId }) => lineId),
  );
  return lines.map((line) => {
    const match = matches.get(line.lineId);
    return {
      line,
      match,
      items: match === undefined ? [] : (items.get(match.matchId) ?? []),
      returned: match === undefined && returned.has(line.lineId),
    };
  });
}

function creditsIn(session: Session, table: string, wanted: CreditsWanted) {
  const query = session(table)
    // Both values, so that the index by flag and day serves the period.
    .whereIn('l.payout_candidate', [0, 1])
    .where('l.currency', 'TND')
    .whereRaw(isPayoutLine('l'));
  return 'lineId' in wanted
    ? query.where('l.id', wanted.lineId)
    : query.whereBetween('l.booking_date', [wanted.from, wanted.to]);
}

function inForce(session: Session, wanted: CreditsWanted, end: Instant) {
  return creditsIn(session, 'bank_statement_lines as l', wanted)
    .join('payout_matches as m', 'm.line_id', 'l.id')
    .join('ledger_transactions as w', 'w.id', 'm.ledger_transaction_id')
    .whereRaw(isInForce('m', 'w'), [end, end]);
}

function matchesOf(session: Session, wanted: CreditsWanted, end: Instant): Promise<CreditMatch[]> {
  return MATCH.all(inForce(session, wanted, end).select(MATCH.columns('m')));
}

async function itemsOf(session: Session, wanted: CreditsWanted, end: Instant): Promise<Map<string, MatchItems[]>> {
  const found = await ITEMS.all(
    inForce(session, wanted, end)
      .join('payout_match_items as i', 'i.match_id', 'm.id')
      // The id of an agent's payment is `service:` and its transaction id.
      .leftJoin('agent_confirmations as c', (on) =>
        on.on('c.transaction_id', session.fragment("case when i.channel = 'agent' then substr(i.item_id, 9) end")),
      )
      .select('i.match_id', 'i.channel', 'i.evidence')
      .select(
        session.fragment('count(*) as items'),
        session.fragment('cast(sum(i.amount_millimes) as char) as total'),
        session.fragment(AHEAD, [end, end, end]),
      )
      .groupBy('i.match_id', 'i.channel', 'i.evidence')
      .orderBy(['i.match_id', 'i.channel', 'i.evidence']),
  );
  const byMatch = new Map<string, MatchItems[]>();
  for (const { matchId, ...items } of found) addToGroup(byMatch, matchId, items);
  return byMatch;
}
