import type { NewBreak } from '../breaks';
import {
  addToGroup,
  type BusinessDate,
  fingerprintOf,
  formatInstant,
  millimes,
  totalToJson,
  ZERO_MILLIMES,
} from '../kernel';
import { type CreditJson, creditJson, type InferredCredit } from '../payout-inference';
import type { PayoutCandidate } from '../statements';
import { countBreaks, type DecidedDifference } from './count-breaks';
import type { PayoutMatch } from './match';
import type { RunPlan } from './plan-run';
import { lastModel } from './to-match-request';

export const VERDICTS = ['reconciled', 'reconciled_with_pending', 'breaks', 'incomplete'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One bank credit, in the shape of `result.json` (docs/MATCHING.md). */
export type CreditResult = CreditJson;

export interface BreakResult {
  readonly class: string;
  readonly amount_millimes: number | null;
  readonly item_ids: readonly string[];
  readonly line_ids: readonly string[];
  readonly since: string;
}

/** A difference about which two people decided. */
export interface DecidedResult extends BreakResult {
  readonly break_id: string;
  /** `written_off` or `accepted`; null while only a part is written off, and the rest is one of the breaks. */
  readonly resolution: string | null;
  /** The written-off part, with the sign of the amount. */
  readonly written_off_millimes: number;
}

/** The amount that the bank should receive by a day. */
export interface ExpectedResult {
  readonly due_on: string;
  readonly items: number;
  readonly amount_millimes: number | string;
}

/** The result of a run. The same ledger and cut-off give the same result, field by field. */
export interface ReconciliationResult {
  readonly verdict: Verdict;
  readonly through: BusinessDate;
  /** The payout model, if it is known. */
  readonly model: string | null;
  readonly credits: readonly CreditResult[];
  /** Unpaid money inside its grace. */
  readonly pendingMillimes: number | string;
  readonly matchedMillimes: number | string;
  readonly expected: readonly ExpectedResult[];
  /** The differences that wait for people; of a partly written-off one the rest. */
  readonly breaks: readonly BreakResult[];
  /** The differences that two people wrote off, wholly or in part, or accepted. */
  readonly decided: readonly DecidedResult[];
}

/** Returns the result of a plan, with the open breaks that other modules found up to its day. */
export function toResult({ after, outcome, breaks }: RunPlan, others: readonly NewBreak[]): ReconciliationResult {
  const { counted, decided } = countBreaks([...breaks, ...others], after);
  const credits = creditResults(after.credits, after.matches, outcome.credits);
  const gone = new Set(
    after.matches.flatMap(({ returned }) => (returned === undefined ? [] : [returned.creditLineId])),
  );
  const closed = decided.filter(({ resolution }) => resolution !== undefined);
  const settled = new Set([...gone, ...closed.flatMap(({ difference }) => difference.subject.lineIds)]);
  const waiting = credits.some(({ outcome: said, line_id }) => said !== 'resolved' && !settled.has(line_id));
  const pending = pendingItems(after, outcome);
  const pendingTotal = totalOf(pending);
  return {
    verdict: verdictOf(after.coveredThrough !== undefined, counted, pending.length > 0 || waiting),
    through: after.through,
    model: lastModel(after.matches) ?? outcome.model ?? null,
    credits,
    pendingMillimes: totalToJson(pendingTotal),
    matchedMillimes: totalToJson(matchedTotal(after)),
    expected: expectedBy(pending),
    breaks: [...counted].sort(byDayAndClass).map(breakResult),
    decided: [...decided].sort((a, b) => byDayAndClass(a.difference, b.difference)).map(decidedResult),
  };
}

/** Returns the digest of a result, by which a run finds out that it repeats the last one. Candidates are no part of it. */
export function digestOfResult(result: ReconciliationResult): string {
  return fingerprintOf({ ...result, credits: result.credits.map(({ candidates: _candidates, ...credit }) => credit) });
}

/** Returns the worst verdict that applies. Without a bank statement nothing was compared, so the run is incomplete. */
function verdictOf(hasStatements: boolean, breaks: readonly NewBreak[], waiting: boolean): Verdict {
  if (!hasStatements) return 'incomplete';
  if (breaks.length > 0) return 'breaks';
  return waiting ? 'reconciled_with_pending' : 'reconciled';
}

interface PendingItem {
  readonly amount: number;
  readonly dueOn: BusinessDate | undefined;
}

/**
 * Returns the items inside their grace, and the items that a later credit paid, because they were in transit on the
 * day.
 */
function pendingItems({ items, matches, credits }: RunPlan['after'], outcome: RunPlan['outcome']): PendingItem[] {
  const lines = new Set(credits.map(({ lineId }) => lineId));
  const later = new Set(
    matches.filter(({ lineId }) => !lines.has(lineId)).flatMap(({ parts }) => parts.map(({ itemId }) => itemId)),
  );
  const dueOn = new Map(
    outcome.items.filter(({ state }) => state === 'pending').map((item) => [item.itemId, item.dueOn]),
  );
  return items
    .filter(({ itemId }) => later.has(itemId) || dueOn.has(itemId))
    .map(({ itemId, amount }) => ({ amount, dueOn: dueOn.get(itemId) }));
}

function expectedBy(pending: readonly PendingItem[]): ExpectedResult[] {
  const byDay = new Map<BusinessDate, PendingItem[]>();
  for (const item of pending) {
    if (item.dueOn !== undefined) addToGroup(byDay, item.dueOn, item);
  }
  return [...byDay]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, ofDay]) => ({ due_on: day, items: ofDay.length, amount_millimes: totalToJson(totalOf(ofDay)) }));
}

/** Returns the sum of the matched credits up to the day. */
function matchedTotal({ credits, matches }: RunPlan['after']): bigint {
  const matched = new Set(matches.map(({ lineId }) => lineId));
  return totalOf(credits.filter(({ lineId }) => matched.has(lineId)));
}

function totalOf(items: readonly { readonly amount: number }[]): bigint {
  return items.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

function creditResults(
  credits: readonly PayoutCandidate[],
  matches: readonly PayoutMatch[],
  inferred: readonly InferredCredit[],
): CreditResult[] {
  const matchOf = new Map(matches.map((match) => [match.lineId, match]));
  const inferredOf = new Map(inferred.map((credit) => [credit.lineId, credit]));
  return credits.map((credit) => {
    const match = matchOf.get(credit.lineId);
    if (match !== undefined) return matchedCredit(match);
    const said = inferredOf.get(credit.lineId);
    // A resolved credit without a match is a returned payout.
    return said === undefined || said.outcome === 'resolved' ? returnedCredit(credit) : creditJson(said);
  });
}

function matchedCredit(match: PayoutMatch): CreditResult {
  const { cut, gross, fee, tva, remainder, evidence, claimedError, parts, lineId } = match;
  return {
    line_id: lineId,
    outcome: 'resolved',
    item_ids: parts.map(({ itemId }) => itemId).sort(),
    common_core: [],
    gross_millimes: gross,
    fee_millimes: fee,
    tva_millimes: tva,
    remainder_millimes: remainder,
    evidence,
    claimed_error: claimedError ?? null,
    proposal: [],
    cut:
      cut === undefined
        ? null
        : { after: formatInstant(cut.after), until: cut.until === undefined ? null : formatInstant(cut.until) },
  };
}

function returnedCredit({ lineId, amount }: PayoutCandidate): CreditResult {
  return {
    line_id: lineId,
    outcome: 'unexplained',
    item_ids: [],
    common_core: [],
    gross_millimes: ZERO_MILLIMES,
    fee_millimes: ZERO_MILLIMES,
    tva_millimes: ZERO_MILLIMES,
    remainder_millimes: millimes(amount),
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

function decidedResult({ breakId, difference, resolution, writtenOff }: DecidedDifference): DecidedResult {
  return {
    ...breakResult(difference),
    break_id: breakId,
    resolution: resolution ?? null,
    written_off_millimes: writtenOff,
  };
}

function byDayAndClass(a: NewBreak, b: NewBreak): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ since, breakClass, fingerprint }: NewBreak): string {
  return `${since} ${breakClass} ${fingerprint}`;
}
