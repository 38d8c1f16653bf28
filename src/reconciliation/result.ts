import type { NewBreak } from '../breaks';
import { formatInstant, totalToJson, ZERO_MILLIMES, type BusinessDate } from '../kernel';
import { EVIDENCE, MODEL, type StoredMatch } from './match-store';
import type { BankCredit, OpenItem, SweepResult } from './sweep-all';

export type Verdict = 'reconciled' | 'reconciled_with_pending' | 'breaks' | 'incomplete';
export type CreditOutcome = 'resolved' | 'ambiguous' | 'unexplained';

/** One bank credit, in the shape of `result.json` (docs/OPERATIONS.md). */
export interface CreditResult {
  readonly line_id: string;
  readonly outcome: CreditOutcome;
  readonly item_ids: readonly string[];
  readonly common_core: readonly string[];
  readonly gross_millimes: number;
  readonly fee_millimes: number;
  readonly tva_millimes: number;
  readonly remainder_millimes: number;
  readonly evidence: string | null;
  /** The first version states no probability of being wrong. */
  readonly claimed_error: null;
  readonly proposal: readonly string[];
  readonly cut: { readonly after: string; readonly until: string | null } | null;
}

export interface BreakResult {
  readonly class: string;
  readonly amount_millimes: number | null;
  readonly item_ids: readonly string[];
  readonly line_ids: readonly string[];
  readonly since: string;
}

/** What a run says. The same books and cut-off give the same result, field for field. */
export interface ReconciliationResult {
  readonly verdict: Verdict;
  readonly through: BusinessDate;
  readonly model: string;
  readonly credits: readonly CreditResult[];
  /** What waits for the bank, inside its grace. */
  readonly pendingMillimes: number | string;
  readonly matchedMillimes: number | string;
  readonly breaks: readonly BreakResult[];
}

export interface ResultFacts {
  readonly through: BusinessDate;
  readonly credits: readonly BankCredit[];
  readonly matches: readonly StoredMatch[];
  readonly sweep: SweepResult;
  readonly pending: readonly OpenItem[];
  readonly breaks: readonly NewBreak[];
  readonly hasStatements: boolean;
}

export function toResult(facts: ResultFacts): ReconciliationResult {
  const credits = creditResults(facts);
  const pending = facts.pending.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const matched = credits
    .filter(({ outcome }) => outcome === 'resolved')
    .reduce((sum, { gross_millimes }) => sum + BigInt(gross_millimes), 0n);
  return {
    verdict: verdictOf(facts, pending > 0n || credits.some(({ outcome }) => outcome !== 'resolved')),
    through: facts.through,
    model: MODEL,
    credits,
    pendingMillimes: totalToJson(pending),
    matchedMillimes: totalToJson(matched),
    breaks: [...facts.breaks].sort(byDayAndClass).map(breakResult),
  };
}

/** The first that applies, from the worst. Without any bank statement nothing was compared, and that is never green. */
function verdictOf({ breaks, hasStatements }: ResultFacts, waiting: boolean): Verdict {
  if (!hasStatements) return 'incomplete';
  if (breaks.length > 0) return 'breaks';
  return waiting ? 'reconciled_with_pending' : 'reconciled';
}

function creditResults({ credits, matches, sweep }: ResultFacts): CreditResult[] {
  const earlier = new Map(matches.map((match) => [match.lineId, match]));
  const resolved = new Map(sweep.resolved.map((match) => [match.credit.lineId, match]));
  const ambiguous = new Set(sweep.ambiguous.map(({ lineId }) => lineId));
  return credits.map((credit) => {
    const stored = earlier.get(credit.lineId);
    if (stored !== undefined) return resolvedCredit(credit, stored.itemIds, stored.cut, stored.evidence);
    const match = resolved.get(credit.lineId);
    if (match !== undefined) {
      const itemIds = match.items.map(({ itemId }) => itemId);
      return resolvedCredit(credit, itemIds, match.cut, EVIDENCE);
    }
    return openCredit(credit, ambiguous.has(credit.lineId) ? 'ambiguous' : 'unexplained');
  });
}

function resolvedCredit(
  credit: BankCredit,
  itemIds: readonly string[],
  cut: StoredMatch['cut'],
  evidence: string,
): CreditResult {
  return {
    ...openCredit(credit, 'resolved'),
    item_ids: [...itemIds].sort(),
    remainder_millimes: ZERO_MILLIMES,
    evidence,
    cut: { after: formatInstant(cut.after), until: cut.until === undefined ? null : formatInstant(cut.until) },
  };
}

function openCredit(credit: BankCredit, outcome: CreditOutcome): CreditResult {
  return {
    line_id: credit.lineId,
    outcome,
    item_ids: [],
    common_core: [],
    gross_millimes: credit.amount,
    fee_millimes: ZERO_MILLIMES,
    tva_millimes: ZERO_MILLIMES,
    remainder_millimes: credit.amount,
    evidence: null,
    claimed_error: null,
    proposal: [],
    cut: null,
  };
}

function breakResult({ breakClass, amount, subject, since }: NewBreak): BreakResult {
  return {
    class: breakClass,
    amount_millimes: amount ?? null,
    item_ids: subject.itemIds,
    line_ids: subject.lineIds,
    since,
  };
}

function byDayAndClass(a: NewBreak, b: NewBreak): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ since, breakClass, fingerprint }: NewBreak): string {
  return `${since} ${breakClass} ${fingerprint}`;
}
