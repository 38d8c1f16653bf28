import { optionalNumber, optionalText, rowsOf, type Row, type Session } from '../db';
import { compareBytes, pagesOf, toMillimes, toTotal, type Instant, type Millimes } from '../kernel';
import { isEffectiveLine } from './effective-statements';
import type { ReportPeriod } from './report-document';

/** What a match says of a credit, as it holds now. In millimes: gross − fee − tva + remainder = the credit. */
export interface PayoutMatchLine {
  readonly matchId: string;
  readonly kind: string;
  readonly model: string | undefined;
  readonly stream: string | undefined;
  readonly evidence: string;
  readonly gross: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly remainder: Millimes;
  /** A probability, as it was printed; undefined when no engine said one. */
  readonly claimedError: string | undefined;
  readonly cutAfter: Instant | undefined;
  readonly cutUntil: Instant | undefined;
  readonly itemCount: number;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/**
 * - `matched`: by a run; `forced`: by a person. - `returned`: taken back by the bank and paid again, told by its match.
 * - `break`: not matched, and an open break says so. - `waiting`: not matched, and no break yet.
 */
export type PayoutOutcome = 'matched' | 'forced' | 'returned' | 'break' | 'waiting';
export const PAYOUT_OUTCOMES: readonly PayoutOutcome[] = ['matched', 'forced', 'returned', 'break', 'waiting'];

/** A bank credit that may be a payout, and what explains it. */
export interface PayoutLine {
  readonly lineId: string;
  readonly account: string;
  readonly bookingDate: string;
  readonly valueDate: string | undefined;
  readonly amount: Millimes;
  readonly counterparty: string;
  readonly remittance: string;
  readonly outcome: PayoutOutcome;
  readonly match: PayoutMatchLine | undefined;
  /** The open break of a credit that is not matched. */
  readonly breakId: string | undefined;
  readonly breakClass: string | undefined;
}

/** What one grade of evidence settles. Different grades are never added up. */
export interface EvidenceTotal {
  readonly evidence: string;
  readonly credits: number;
  readonly creditAmount: bigint;
  readonly items: number;
  readonly itemAmount: bigint;
}

export interface PayoutsReport extends ReportPeriod {
  readonly credits: readonly PayoutLine[];
  readonly evidence: readonly EvidenceTotal[];
  /** Of each matched credit: gross − fee − tva + remainder is its amount, and gross is the sum of its items. */
  readonly proven: boolean;
}

/** The classes of break that a credit is by itself. */
const CREDIT_CLASSES = ['ambiguous_payout', 'fee_unexplained', 'amount_differs', 'missing_in_book', 'returned_payout'];
const LINES_PER_STATEMENT = 100;

/** The credits that the bank booked on the days of the period, as they are explained now; or the one credit named. */
export async function payoutsReport(session: Session, period: ReportPeriod, lineId?: string): Promise<PayoutsReport> {
  const lines = await creditLines(session, period, lineId);
  const items = await itemTotals(session, period, lineId);
  const breaks = await breaksOf(
    session,
    lines.filter((row) => row['match_id'] === null).map((row) => String(row['id'])),
  );
  const credits = lines.map((row) => toPayoutLine(row, items, breaks.get(String(row['id']))));
  const proven = credits.every(({ amount, match }) => {
    if (match === undefined) return true;
    const { gross, fee, tva, remainder, matchId } = match;
    return gross - fee - tva + remainder === amount && BigInt(gross) === (items.get(matchId)?.amount ?? 0n);
  });
  return { ...period, credits, evidence: evidenceTotals(credits, items), proven };
}

function creditLines(session: Session, { from, to }: ReportPeriod, lineId: string | undefined): Promise<Row[]> {
  const query = session('bank_statement_lines as l')
    .leftJoin('payout_claimed_lines as k', 'k.line_id', 'l.id')
    .leftJoin('payout_matches as m', 'm.id', 'k.match_id')
    .select('l.id', 'l.account', 'l.booking_date', 'l.value_date', 'l.amount_minor', 'l.counterparty', 'l.remittance')
    .select(
      'k.match_id',
      'm.line_id as matched_line',
      'm.kind',
      'm.model',
      'm.stream',
      'm.evidence',
      'm.gross_millimes',
    )
    .select('m.fee_millimes', 'm.tva_millimes', 'm.remainder_millimes', 'm.claimed_error', 'm.cut_after', 'm.cut_until')
    .select('m.recorded_at', 'm.recorded_by')
    .where({ 'l.payout_candidate': 1, 'l.currency': 'TND' })
    .whereRaw(isEffectiveLine('l'))
    .orderBy(['l.booking_date', 'l.id']);
  if (lineId === undefined) void query.whereBetween('l.booking_date', [from, to]);
  else void query.where('l.id', lineId);
  return rowsOf(query);
}

interface MatchItems {
  readonly count: number;
  readonly amount: bigint;
  readonly byEvidence: ReadonlyMap<string, { readonly count: number; readonly amount: bigint }>;
}

async function itemTotals(
  session: Session,
  { from, to }: ReportPeriod,
  lineId: string | undefined,
): Promise<Map<string, MatchItems>> {
  const query = session('bank_statement_lines as l')
    .join('payout_claimed_lines as k', 'k.line_id', 'l.id')
    .join('payout_match_items as i', 'i.match_id', 'k.match_id')
    .join('payout_matches as m', (on) => on.on('m.id', 'k.match_id').andOn('m.line_id', 'l.id'))
    .select('i.match_id', 'i.evidence')
    .select(session.fragment('count(*) as items'), session.fragment('cast(sum(i.amount_millimes) as char) as total'))
    .groupBy('i.match_id', 'i.evidence')
    .orderBy(['i.match_id', 'i.evidence']);
  if (lineId === undefined) void query.whereBetween('l.booking_date', [from, to]);
  else void query.where('l.id', lineId);
  const totals = new Map<string, MatchItems>();
  for (const row of await rowsOf(query)) {
    const matchId = String(row['match_id']);
    const before = totals.get(matchId) ?? { count: 0, amount: 0n, byEvidence: new Map() };
    const each = { count: Number(row['items']), amount: toTotal(row['total']) };
    totals.set(matchId, {
      count: before.count + each.count,
      amount: before.amount + each.amount,
      byEvidence: new Map([...before.byEvidence, [String(row['evidence']), each]]),
    });
  }
  return totals;
}

interface CreditBreak {
  readonly id: string;
  readonly breakClass: string;
}

/** The open break of each credit, of which the fingerprint names the line. */
async function breaksOf(session: Session, lineIds: readonly string[]): Promise<Map<string, CreditBreak>> {
  const found = new Map<string, CreditBreak>();
  for (const page of pagesOf(lineIds, LINES_PER_STATEMENT)) {
    const fingerprints = page.flatMap((lineId) => CREDIT_CLASSES.map((name) => `${name}:${lineId}`));
    const rows = await rowsOf(
      session('recon_breaks as b')
        .select('b.id', 'b.class', 'b.fingerprint')
        .whereIn('b.fingerprint', fingerprints)
        .whereNot('b.status', 'resolved')
        .orderBy('b.id'),
    );
    for (const row of rows) {
      const breakClass = String(row['class']);
      found.set(String(row['fingerprint']).slice(breakClass.length + 1), { id: String(row['id']), breakClass });
    }
  }
  return found;
}

function toPayoutLine(
  row: Row,
  items: ReadonlyMap<string, MatchItems>,
  creditBreak: CreditBreak | undefined,
): PayoutLine {
  const lineId = String(row['id']);
  const isTold = row['match_id'] !== null;
  const match = isTold && row['matched_line'] === lineId ? toMatchLine(row, items) : undefined;
  const unmatched: PayoutOutcome = creditBreak === undefined ? 'waiting' : 'break';
  const matched: PayoutOutcome = match?.kind === 'forced' ? 'forced' : 'matched';
  return {
    lineId,
    account: String(row['account']),
    bookingDate: String(row['booking_date']),
    valueDate: optionalText(row['value_date']),
    amount: toMillimes(row['amount_minor']),
    counterparty: String(row['counterparty']),
    remittance: String(row['remittance']),
    outcome: match !== undefined ? matched : isTold ? 'returned' : unmatched,
    match,
    breakId: isTold ? undefined : creditBreak?.id,
    breakClass: isTold ? undefined : creditBreak?.breakClass,
  };
}

function toMatchLine(row: Row, items: ReadonlyMap<string, MatchItems>): PayoutMatchLine {
  const matchId = String(row['match_id']);
  return {
    matchId,
    kind: String(row['kind']),
    model: optionalText(row['model']),
    stream: optionalText(row['stream']),
    evidence: String(row['evidence']),
    gross: toMillimes(row['gross_millimes']),
    fee: toMillimes(row['fee_millimes']),
    tva: toMillimes(row['tva_millimes']),
    remainder: toMillimes(row['remainder_millimes']),
    claimedError: optionalText(row['claimed_error']),
    cutAfter: optionalNumber(row['cut_after']),
    cutUntil: optionalNumber(row['cut_until']),
    itemCount: items.get(matchId)?.count ?? 0,
    recordedAt: Number(row['recorded_at']),
    recordedBy: String(row['recorded_by']),
  };
}

function evidenceTotals(credits: readonly PayoutLine[], items: ReadonlyMap<string, MatchItems>): EvidenceTotal[] {
  const none: Omit<EvidenceTotal, 'evidence'> = { credits: 0, creditAmount: 0n, items: 0, itemAmount: 0n };
  const totals = new Map<string, Omit<EvidenceTotal, 'evidence'>>();
  for (const { match, amount } of credits) {
    if (match === undefined) continue;
    const ofCredit = totals.get(match.evidence) ?? none;
    totals.set(match.evidence, {
      ...ofCredit,
      credits: ofCredit.credits + 1,
      creditAmount: ofCredit.creditAmount + BigInt(amount),
    });
    for (const [evidence, each] of items.get(match.matchId)?.byEvidence ?? []) {
      const before = totals.get(evidence) ?? none;
      totals.set(evidence, {
        ...before,
        items: before.items + each.count,
        itemAmount: before.itemAmount + each.amount,
      });
    }
  }
  return [...totals].sort(([a], [b]) => compareBytes(a, b)).map(([evidence, each]) => ({ evidence, ...each }));
}
