import type { Session } from '../db';
import { addDays, type BusinessCalendar, compareBytes, type Instant } from '../kernel';
import {
  type Credit,
  type CreditMatch,
  type CreditsWanted,
  type ExplainedCredit,
  explainedCredits,
} from './credits-read-model';
import type { Known } from './ledger-date';
import { type OpenBreak, openBreaks } from './open-breaks-read-model';
import type { ReportPeriod } from './report-document';

/** The match of a credit. In millimes: gross − fee − tva + remainder = the credit. */
export interface PayoutMatchLine extends CreditMatch {
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
export interface PayoutLine extends Credit {
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

export interface PayoutsReport extends ReportPeriod, Known {
  readonly credits: readonly PayoutLine[];
  readonly evidence: readonly EvidenceTotal[];
  /** For each matched credit, gross − fee − tva + remainder is its amount, and gross is the sum of its items. */
  readonly proven: boolean;
}

/** Classes of breaks of a single credit. */
export const CREDIT_CLASSES = [
  'ambiguous_payout',
  'fee_unexplained',
  'amount_differs',
  'missing_in_book',
  'returned_payout',
];

/** Reads the credits that the bank booked in the period, as they were explained at its end by ledger date. */
export function payoutsReport(
  session: Session,
  period: ReportPeriod & Known,
  calendar: BusinessCalendar,
): Promise<PayoutsReport> {
  return readPayouts(session, period, { wanted: period, end: calendar.startOf(addDays(period.to, 1)) });
}

/** Reads the named credit alone, as it is explained now. */
export function payoutReport(session: Session, lineId: string, period: ReportPeriod & Known): Promise<PayoutsReport> {
  return readPayouts(session, period, { wanted: { lineId }, end: period.knownAt + 1 });
}

async function readPayouts(
  session: Session,
  period: ReportPeriod & Known,
  { wanted, end }: { readonly wanted: CreditsWanted; readonly end: Instant },
): Promise<PayoutsReport> {
  const explained = await explainedCredits(session, wanted, end);
  const breaks = await breaksByLine(session, period, end);
  const proven = explained.every(({ line, match, items }) => {
    if (match === undefined) return true;
    const { gross, fee, tva, remainder } = match;
    const ofItems = items.reduce((sum, { amount }) => sum + amount, 0n);
    return gross - fee - tva + remainder === line.amount && BigInt(gross) === ofItems;
  });
  return {
    ...period,
    credits: explained.map((each) => toPayoutLine(each, breaks.get(each.line.lineId))),
    evidence: evidenceTotals(explained),
    proven,
  };
}

/** Returns the open break of each credit; its fingerprint names the line. */
async function breaksByLine(session: Session, { to }: ReportPeriod, end: Instant): Promise<Map<string, OpenBreak>> {
  const ofCredits = (await openBreaks(session, to, end)).filter(({ breakClass }) =>
    CREDIT_CLASSES.includes(breakClass),
  );
  return new Map(ofCredits.map((each) => [each.fingerprint.slice(each.breakClass.length + 1), each]));
}

function toPayoutLine({ line, match, items, returned }: ExplainedCredit, open: OpenBreak | undefined): PayoutLine {
  if (match !== undefined) {
    const itemCount = items.reduce((sum, { count }) => sum + count, 0);
    const outcome = match.kind === 'forced' ? 'forced' : 'matched';
    return { ...line, outcome, match: { ...match, itemCount }, breakId: undefined, breakClass: undefined };
  }
  if (returned) return { ...line, outcome: 'returned', match, breakId: undefined, breakClass: undefined };
  const outcome = open === undefined ? 'waiting' : 'break';
  return { ...line, outcome, match, breakId: open?.id, breakClass: open?.breakClass };
}

function evidenceTotals(credits: readonly ExplainedCredit[]): EvidenceTotal[] {
  const none: Omit<EvidenceTotal, 'evidence'> = { credits: 0, creditAmount: 0n, items: 0, itemAmount: 0n };
  const totals = new Map<string, Omit<EvidenceTotal, 'evidence'>>();
  for (const { match, line, items } of credits) {
    if (match === undefined) continue;
    const ofCredit = totals.get(match.evidence) ?? none;
    totals.set(match.evidence, {
      ...ofCredit,
      credits: ofCredit.credits + 1,
      creditAmount: ofCredit.creditAmount + BigInt(line.amount),
    });
    for (const { evidence, count, amount } of items) {
      const before = totals.get(evidence) ?? none;
      totals.set(evidence, { ...before, items: before.items + count, itemAmount: before.itemAmount + amount });
    }
  }
  return [...totals].sort(([a], [b]) => compareBytes(a, b)).map(([evidence, each]) => ({ evidence, ...each }));
}
