import { afterKey, column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type BusinessDate, mergeByKey, type Millimes, type Page, pageByKey, pagesOf } from '../kernel';
import { type Credit, type CreditMatch, LINE, MATCH } from './credits-read-model';
import { effectiveLines } from './effective-lines-read-model';
import { isPayoutLine } from './payout-marks';
import { CREDIT_CLASSES, type PayoutOutcome } from './payouts-report-read-model';

/** As in a report, as of now; `written_off`: unmatched, with a break that two people wrote off. */
export type CreditOutcome = PayoutOutcome | 'written_off';

/** A bank credit that may be a payout, and its explanation now. */
export interface ListedCredit extends Credit {
  readonly outcome: CreditOutcome;
  /** The match that holds it. Of a returned credit, the match of the credit that paid again. */
  readonly match: CreditMatch | undefined;
  /** The break of an unmatched credit that is open or written off. */
  readonly breakId: string | undefined;
  readonly breakClass: string | undefined;
}

export type CreditKey = readonly [bookingDate: string, lineId: string];

export interface CreditQuery {
  readonly outcomes?: readonly CreditOutcome[] | undefined;
  /** An account as its lines are stored. */
  readonly account?: string | undefined;
  readonly from?: BusinessDate | undefined;
  /** The last day, which counts. */
  readonly to?: BusinessDate | undefined;
  readonly minAmount?: Millimes | undefined;
  readonly after?: CreditKey | undefined;
  readonly limit: number;
}

const EXAMINED = rowCodec({
  lineId: LINE.fields.lineId,
  bookingDate: LINE.fields.bookingDate,
  account: LINE.fields.account,
  currency: column.text('currency'),
  amount: column.number('amount_minor'),
});
type Examined = Decoded<typeof EXAMINED> & { readonly credit: ListedCredit | undefined };

const CLAIM = rowCodec({ heldLineId: column.text('held_line_id') });
const HELD = rowCodec({ ...MATCH.fields, ...CLAIM.fields });
const BREAK = rowCodec({
  id: column.text('id'),
  fingerprint: column.text('fingerprint'),
  breakClass: column.text('class'),
  status: column.text('status'),
});
const WRITTEN_OFF = 'written_off';

/**
 * Returns a page of the credits that may be payouts, newest first. It examines at most 2,000 lines that the import
 * recognized, and 2,000 others, which people may have marked as payouts.
 */
export async function listCredits(session: Session, query: CreditQuery): Promise<Page<ListedCredit, CreditKey>> {
  const { outcomes, after: first, limit } = query;
  const { rows, next } = await pageByKey<Examined, CreditKey>({
    async read(after, count) {
      const lists = [
        await linesAfter(session, 1, query, after, count),
        await linesAfter(session, 0, query, after, count),
      ];
      const lines = mergeByKey(lists, keyOf, 'desc', count);
      const credits = await creditsOf(
        session,
        lines.filter((line) => isWanted(line, query)),
      );
      return lines.map((line) => ({ ...line, credit: credits.get(line.lineId) }));
    },
    keyOf,
    keep: ({ credit }) => credit !== undefined && (outcomes === undefined || outcomes.includes(credit.outcome)),
    ...{ after: first, limit },
  });
  return { rows: rows.flatMap(({ credit }) => credit ?? []), next };
}

function keyOf({ bookingDate, lineId }: Decoded<typeof EXAMINED>): CreditKey {
  return [bookingDate, lineId];
}

function linesAfter(
  session: Session,
  isRecognized: 0 | 1,
  { from, to }: CreditQuery,
  after: CreditKey | undefined,
  count: number,
): Promise<Decoded<typeof EXAMINED>[]> {
  const query = session('bank_statement_lines as l').select(EXAMINED.columns('l'));
  if (from !== undefined) void query.where('l.booking_date', '>=', from);
  if (to !== undefined) void query.where('l.booking_date', '<=', to);
  const equal = { 'l.payout_candidate': isRecognized };
  const order = { equal, columns: ['l.booking_date', 'l.id'], order: 'desc', after } as const;
  return EXAMINED.all(afterKey(session, query, order, count));
}

function isWanted(line: Decoded<typeof EXAMINED>, { account, minAmount }: CreditQuery): boolean {
  const ofAccount = account === undefined || line.account === account;
  return ofAccount && line.currency === 'TND' && line.amount >= (minAmount ?? 1);
}

/** Returns those of the lines that are effective and may be payouts. */
async function creditsOf(
  session: Session,
  lines: readonly { readonly lineId: string }[],
): Promise<Map<string, ListedCredit>> {
  const found = new Map<string, ListedCredit>();
  for (const page of pagesOf(lines, ROWS_PER_STATEMENT / CREDIT_CLASSES.length)) {
    const credits = await LINE.all(
      session('bank_statement_lines as l')
        .select(LINE.columns('l'))
        .whereIn(
          'l.id',
          page.map(({ lineId }) => lineId),
        )
        .whereRaw(isPayoutLine('l')),
    );
    const effective = await effectiveLines(
      session,
      credits.map(({ lineId }) => lineId),
    );
    const lineIds = [...effective];
    const matches = await matchesOf(session, lineIds);
    const breaks = await breaksOf(
      session,
      lineIds.filter((lineId) => !matches.has(lineId)),
    );
    for (const line of credits.filter(({ lineId }) => effective.has(lineId))) {
      found.set(line.lineId, toListed(line, matches.get(line.lineId), breaks.get(line.lineId)));
    }
  }
  return found;
}

async function matchesOf(session: Session, lineIds: readonly string[]): Promise<Map<string, CreditMatch>> {
  if (lineIds.length === 0) return new Map();
  const held = await HELD.all(
    session('payout_claimed_lines as k')
      .join('payout_matches as m', 'm.id', 'k.match_id')
      .select(...MATCH.columns('m'), 'k.line_id as held_line_id')
      .whereIn('k.line_id', [...lineIds]),
  );
  return new Map(held.map(({ heldLineId, ...match }) => [heldLineId, match]));
}

/** Returns the break of each credit; its fingerprint names the line. An open break precedes one that is written off. */
async function breaksOf(session: Session, lineIds: readonly string[]): Promise<Map<string, Decoded<typeof BREAK>>> {
  if (lineIds.length === 0) return new Map();
  const fingerprints = lineIds.flatMap((lineId) => CREDIT_CLASSES.map((each) => `${each}:${lineId}`));
  const breaks = await BREAK.all(
    session('recon_breaks as b')
      .select(BREAK.columns('b'))
      .whereIn('b.fingerprint', fingerprints)
      .whereRaw("(b.status <> 'resolved' or b.resolution = 'written_off')"),
  );
  const openLast = [...breaks].sort((a, b) => Number(a.status !== 'resolved') - Number(b.status !== 'resolved'));
  return new Map(openLast.map((each) => [each.fingerprint.slice(each.breakClass.length + 1), each]));
}

function toListed(
  line: Credit,
  match: CreditMatch | undefined,
  ofLine: Decoded<typeof BREAK> | undefined,
): ListedCredit {
  const found = { ...line, match, breakId: ofLine?.id, breakClass: ofLine?.breakClass };
  if (match !== undefined) {
    const outcome = match.kind === 'forced' ? 'forced' : 'matched';
    return { ...found, outcome: match.lineId === line.lineId ? outcome : 'returned' };
  }
  if (ofLine === undefined) return { ...found, outcome: 'waiting' };
  return { ...found, outcome: ofLine.status === 'resolved' ? WRITTEN_OFF : 'break' };
}
