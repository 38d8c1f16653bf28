import { formatInstant } from '../../kernel';
import { type Candidate, type DifferingItems, type Objection, objectionText } from '../candidate';
import type { FeeRule } from '../match-request';
import type { FoundBreak, InferredCredit } from '../match-result';

/** Returns a fee rule in the form of `fees.json`. */
export function feeJson(rule: FeeRule): Readonly<Record<string, unknown>> {
  return {
    channel: rule.channel,
    rate_ppm: rule.ratePpm,
    fixed_millimes: rule.fixedMillimes,
    tva_ppm: rule.tvaPpm,
    rounding: rule.rounding,
    basis: rule.basis,
    ...(rule.from === undefined ? {} : { from: rule.from }),
  };
}

/** A bank credit in the form of `result.json`: amounts in millimes, the cut in UTC or null. */
export interface CreditJson {
  readonly line_id: string;
  readonly outcome: string;
  readonly item_ids: readonly string[];
  readonly common_core: readonly string[];
  readonly gross_millimes: number;
  readonly fee_millimes: number;
  readonly tva_millimes: number;
  readonly remainder_millimes: number;
  readonly evidence: string | null;
  /** The probability that the explanation is wrong; null if none was stated. */
  readonly claimed_error: number | null;
  readonly proposal: readonly string[];
  readonly cut: { readonly after: string; readonly until: string | null } | null;
  /** The best explanations of a credit that is not resolved; left out if none is known. */
  readonly candidates?: readonly CandidateJson[];
}

/** One of the best explanations of a credit that is not resolved. Amounts in millimes. */
export interface CandidateJson {
  /** Null if nothing measures it. */
  readonly probability: number | null;
  readonly kind: Candidate['kind'];
  readonly stream: string;
  readonly cut: { readonly after: string; readonly until: string };
  readonly gross_millimes: number;
  readonly fee_millimes: number;
  readonly tva_millimes: number;
  readonly difference_millimes: number;
  /** The number of its items. */
  readonly items: number;
  /** The items of the first candidate; null for the others. */
  readonly item_ids: readonly string[] | null;
  readonly adds: DifferingItemsJson;
  readonly lacks: DifferingItemsJson;
  readonly against: readonly ObjectionJson[];
}

interface DifferingItemsJson {
  readonly items: number;
  readonly item_ids: readonly string[];
}

/** `probability`, `items`, `item_id` and `amount_millimes` are parameters of some codes. */
export interface ObjectionJson {
  readonly code: Objection['code'];
  readonly probability?: number;
  readonly items?: number;
  readonly item_id?: string;
  readonly amount_millimes?: number;
  /** The sentence for people. */
  readonly text: string;
}

export function creditJson(credit: InferredCredit): CreditJson {
  const { cut, candidates = [] } = credit;
  return {
    line_id: credit.lineId,
    outcome: credit.outcome,
    item_ids: credit.itemIds,
    common_core: credit.commonCore,
    gross_millimes: credit.gross,
    fee_millimes: credit.fee,
    tva_millimes: credit.tva,
    remainder_millimes: credit.remainder,
    evidence: credit.evidence ?? null,
    claimed_error: credit.claimedError,
    proposal: credit.proposal,
    cut: cut === undefined ? null : { after: formatInstant(cut.after), until: formatInstant(cut.until) },
    ...(candidates.length === 0 ? {} : { candidates: candidates.map(candidateJson) }),
  };
}

function candidateJson(candidate: Candidate, rank: number): CandidateJson {
  return {
    probability: candidate.probability ?? null,
    kind: candidate.kind,
    stream: candidate.stream,
    cut: { after: formatInstant(candidate.cut.after), until: formatInstant(candidate.cut.until) },
    gross_millimes: candidate.gross,
    fee_millimes: candidate.fee,
    tva_millimes: candidate.tva,
    difference_millimes: candidate.difference,
    items: candidate.itemCount,
    item_ids: rank === 0 ? candidate.itemIds : null,
    adds: differingJson(candidate.adds),
    lacks: differingJson(candidate.lacks),
    against: candidate.against.map(objectionJson),
  };
}

function differingJson({ count, itemIds }: DifferingItems): DifferingItemsJson {
  return { items: count, item_ids: itemIds };
}

/** Returns an objection with its parameters and its sentence. */
export function objectionJson(objection: Objection): ObjectionJson {
  return {
    code: objection.code,
    ...('probability' in objection ? { probability: objection.probability } : {}),
    ...('items' in objection ? { items: objection.items } : {}),
    ...('itemId' in objection ? { item_id: objection.itemId } : {}),
    ...('amount' in objection ? { amount_millimes: objection.amount } : {}),
    text: objectionText(objection),
  };
}

/** Returns a break in the form of `result.json`. */
export function breakJson(found: FoundBreak): Readonly<Record<string, unknown>> {
  return {
    class: found.breakClass,
    amount_millimes: found.amount,
    item_ids: found.itemIds,
    line_ids: found.lineIds,
    since: found.since,
  };
}
