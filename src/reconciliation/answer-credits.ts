import { sha256Hex } from '../kernel';
import type { InferredCredit } from '../payout-inference';
import type { PayoutCandidate } from '../statements';
import type { CreditAnswer, CreditCandidate, CreditReason, StoredAnswer } from './credit-answer';
import type { Facts } from './facts';
import { linesOf } from './match';
import type { RunPlan } from './plan-run';

/** Enough to tell the candidates of one credit apart. */
const ID_LENGTH = 8;
const NO_ITEMS = { count: 0, itemIds: [] } as const;
/** A run stores the answers about its credits up to this number of item ids, and the rest is computed when asked. */
const STORED_IDS_MAX = 20_000;

/** Returns the answers of a run to store: whole, and of as many credits as the limit on item ids allows. Pure. */
export function answersToStore(plan: RunPlan, errorMax: number): StoredAnswer[] {
  const stored: StoredAnswer[] = [];
  const amountOf = new Map(plan.after.credits.map(({ lineId, amount }) => [lineId, amount]));
  let ids = 0;
  for (const { lineId, outcome } of plan.outcome.credits) {
    const amount = amountOf.get(lineId);
    const answer =
      outcome === 'resolved' || amount === undefined
        ? undefined
        : answerOf({ lineId, amount }, plan, plan.after, errorMax);
    if (answer === undefined) continue;
    const size = answer.candidates.reduce((sum, { itemIds }) => sum + itemIds.length, answer.commonCore.length);
    if (ids + size > STORED_IDS_MAX) continue;
    ids += size;
    stored.push({ lineId, answer });
  }
  return stored;
}

/** Returns what a plan says about a credit; undefined if an earlier match holds it. Pure. */
export function answerOf(
  line: Pick<PayoutCandidate, 'lineId' | 'amount'>,
  plan: RunPlan,
  facts: Pick<Facts, 'unmatched' | 'partlyWrittenOff'>,
  errorMax: number,
): CreditAnswer | undefined {
  const made = plan.matches.find((match) => linesOf(match).includes(line.lineId));
  if (made !== undefined) {
    const { parts, gross, fee, tva, remainder: difference, claimedError = 0, cut, stream } = made;
    const itemIds = parts.map(({ itemId }) => itemId);
    const candidate: CreditCandidate = {
      id: idOf(itemIds),
      kind: 'match',
      probability: 1 - claimedError,
      claimedError,
      ...{ itemIds, gross, fee, tva, difference, cut, stream },
      itemCount: itemIds.length,
      adds: NO_ITEMS,
      lacks: NO_ITEMS,
      against: [],
    };
    const common = { commonCore: itemIds, nearest: undefined };
    return {
      outcome: 'resolved',
      reason: 'next_run_matches',
      claimedError,
      errorMax,
      candidates: [candidate],
      ...common,
    };
  }
  const inferred = plan.outcome.credits.find(({ lineId }) => lineId === line.lineId);
  if (inferred === undefined) return undefined;
  const { outcome, claimedError, commonCore, cut, remainder } = inferred;
  const isNear = cut !== undefined && remainder !== 0 && remainder !== line.amount;
  return {
    outcome,
    reason: reasonOf(inferred, facts),
    claimedError,
    errorMax,
    candidates: (inferred.candidates ?? []).map((each, rank) => ({
      ...each,
      id: idOf(each.itemIds),
      claimedError: rank === 0 && each.probability !== undefined ? claimedError : 1 - (each.probability ?? 0),
    })),
    commonCore,
    nearest: isNear ? { cut, difference: remainder } : undefined,
  };
}

function reasonOf(
  { lineId, outcome, cause, proposal }: InferredCredit,
  facts: Pick<Facts, 'unmatched' | 'partlyWrittenOff'>,
): CreditReason {
  if (facts.unmatched.some((each) => each.lineId === lineId)) return 'unmatched_before';
  if (facts.partlyWrittenOff.includes(lineId)) return 'partly_written_off';
  if (outcome === 'resolved') return 'returned';
  if (outcome === 'search_cut_short') return 'search_cut_short';
  return proposal.length > 0 ? 'above_limit' : cause;
}

function idOf(itemIds: readonly string[]): string {
  return sha256Hex(itemIds.join('\n')).slice(0, ID_LENGTH);
}
