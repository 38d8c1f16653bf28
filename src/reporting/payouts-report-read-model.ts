import { column, type Decoded, type Row, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
import { compareBytes, pagesOf } from '../kernel';
import { isEffectiveLine } from './effective-statements';
import type { ReportPeriod, Total } from './report-document';

/** The live match of a credit. In millimes: gross − fee − tva + remainder = the credit. */
export interface PayoutMatchLine extends Decoded<typeof MATCH> {
  readonly matchId: string;
  readonly itemCount: number;
}

/**
 * - `matched`: by a run; `forced`: by a person.
 * - `returned`: returned by the bank and paid again; the match belongs to the other credit.
 * - `break`: unmatched, with an open break.
 * - `waiting`: unmatched, without a break.
 */
export type PayoutOutcome = 'matched' | 'forced' | 'returned' | 'break' | 'waiting';
export const PAYOUT_OUTCOMES: readonly PayoutOutcome[] = ['matched', 'forced', 'returned', 'break', 'waiting'];

/** A bank credit that may be a payout, and its explanation. */
export interface PayoutLine extends Decoded<typeof LINE> {
  readonly outcome: PayoutOutcome;
  readonly match: PayoutMatchLine | undefined;
  /** The open break of an unmatched credit. */
  readonly breakId: string | undefined;
  readonly breakClass: string | undefined;
}

/** Totals of one grade of evidence. Different grades are never added up. */
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
  /** For each matched credit, gross − fee − tva + remainder is its amount, and gross is the sum of its items. */
  readonly proven: boolean;
}

/** Classes of breaks of a single credit. */
const CREDIT_CLASSES = ['ambiguous_payout', 'fee_unexplained', 'amount_differs', 'missing_in_book', 'returned_payout'];

const LINE = rowCodec({
  lineId: column.text('id'),
  account: column.text('account'),
  bookingDate: column.text('booking_date'),
  valueDate: column.optional(column.text('value_date')),
  amount: column.millimes('amount_minor'),
  counterparty: column.text('counterparty'),
  remittance: column.text('remittance'),
});
/** The match of a line, and the line that the match explains. */
const HELD_BY = rowCodec({
  matchId: column.optional(column.text('match_id')),
  matchedLine: column.optional(column.text('matched_line')),
});
const MATCH = rowCodec({
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
const ITEM_TOTAL = rowCodec({
  matchId: column.text('match_id'),
  evidence: column.text('evidence'),
  count: column.number('items'),
  amount: column.total('total'),
});
const BREAK = rowCodec({
  id: column.text('id'),
  breakClass: column.text('class'),
  fingerprint: column.text('fingerprint'),
});

/** Reads the credits that the bank booked in the period with their present explanation; or the named credit alone. */
export async function payoutsReport(session: Session, period: ReportPeriod, lineId?: string): Promise<PayoutsReport> {
  const lines = await creditLines(session, period, lineId);
  const items = await itemTotals(session, period, lineId);
  const breaks = await breaksOf(
    session,
    lines.filter(({ matchId }) => matchId === undefined).map(({ lineId }) => lineId),
  );
  const credits = lines.map((line) => toPayoutLine(line, items, breaks.get(line.lineId)));
  const proven = credits.every(({ amount, match }) => {
    if (match === undefined) return true;
    const { gross, fee, tva, remainder, matchId } = match;
    return gross - fee - tva + remainder === amount && BigInt(gross) === (items.get(matchId)?.amount ?? 0n);
  });
  return { ...period, credits, evidence: evidenceTotals(credits, items), proven };
}

interface CreditLine extends Decoded<typeof LINE> {
  readonly matchId: string | undefined;
  /** The match that explains this line; undefined for the other line of a returned payout. */
  readonly match: Decoded<typeof MATCH> | undefined;
}

async function creditLines(
  session: Session,
  { from, to }: ReportPeriod,
  lineId: string | undefined,
): Promise<CreditLine[]> {
  const query = session('bank_statement_lines as l')
    .leftJoin('payout_claimed_lines as k', 'k.line_id', 'l.id')
    .leftJoin('payout_matches as m', 'm.id', 'k.match_id')
    .select(...LINE.columns('l'), 'k.match_id', 'm.line_id as matched_line', ...MATCH.columns('m'))
    .where({ 'l.payout_candidate': 1, 'l.currency': 'TND' })
    .whereRaw(isEffectiveLine('l'))
    .orderBy(['l.booking_date', 'l.id']);
  if (lineId === undefined) void query.whereBetween('l.booking_date', [from, to]);
  else void query.where('l.id', lineId);
  return (await rowsOf(query)).map(toCreditLine);
}

function toCreditLine(row: Row): CreditLine {
  const line = LINE.read(row);
  const { matchId, matchedLine } = HELD_BY.read(row);
  return { ...line, matchId, match: matchedLine === line.lineId ? MATCH.read(row) : undefined };
}

interface MatchItems extends Total {
  readonly byEvidence: ReadonlyMap<string, Total>;
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
  for (const { matchId, evidence, ...each } of await ITEM_TOTAL.all(query)) {
    const before = totals.get(matchId) ?? { count: 0, amount: 0n, byEvidence: new Map() };
    totals.set(matchId, {
      count: before.count + each.count,
      amount: before.amount + each.amount,
      byEvidence: new Map([...before.byEvidence, [evidence, each]]),
    });
  }
  return totals;
}

interface CreditBreak {
  readonly id: string;
  readonly breakClass: string;
}

/** Returns the open break of each credit; its fingerprint names the line. */
async function breaksOf(session: Session, lineIds: readonly string[]): Promise<Map<string, CreditBreak>> {
  const found = new Map<string, CreditBreak>();
  const fingerprints = lineIds.flatMap((lineId) => CREDIT_CLASSES.map((name) => `${name}:${lineId}`));
  for (const page of pagesOf(fingerprints, ROWS_PER_STATEMENT)) {
    const breaks = await BREAK.all(
      session('recon_breaks as b')
        .select(BREAK.columns('b'))
        .whereIn('b.fingerprint', page)
        .whereNot('b.status', 'resolved')
        .orderBy('b.id'),
    );
    for (const { id, breakClass, fingerprint } of breaks) {
      found.set(fingerprint.slice(breakClass.length + 1), { id, breakClass });
    }
  }
  return found;
}

function toPayoutLine(
  { matchId, match: stored, ...line }: CreditLine,
  items: ReadonlyMap<string, MatchItems>,
  creditBreak: CreditBreak | undefined,
): PayoutLine {
  const isHeld = matchId !== undefined;
  const match =
    isHeld && stored !== undefined ? { matchId, ...stored, itemCount: items.get(matchId)?.count ?? 0 } : undefined;
  const unmatched: PayoutOutcome = creditBreak === undefined ? 'waiting' : 'break';
  const matched: PayoutOutcome = match?.kind === 'forced' ? 'forced' : 'matched';
  return {
    ...line,
    outcome: match !== undefined ? matched : isHeld ? 'returned' : unmatched,
    match,
    breakId: isHeld ? undefined : creditBreak?.id,
    breakClass: isHeld ? undefined : creditBreak?.breakClass,
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
