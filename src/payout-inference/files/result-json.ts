import { formatInstant } from '../../kernel';
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
}

export function creditJson(credit: InferredCredit): CreditJson {
  const { cut } = credit;
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
