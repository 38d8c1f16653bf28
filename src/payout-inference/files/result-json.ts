import { formatInstant } from '../../kernel';
import type { FeeRule } from '../match-request';
import type { FoundBreak, InferredCredit } from '../match-result';

/** What the gateway keeps, as `fees.json` has it. */
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

/** A bank credit, as `result.json` has it: amounts in millimes, the cut in UTC or null. */
export function creditJson(credit: InferredCredit): Readonly<Record<string, unknown>> {
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

/** A break, as `result.json` has it. */
export function breakJson(found: FoundBreak): Readonly<Record<string, unknown>> {
  return {
    class: found.breakClass,
    amount_millimes: found.amount,
    item_ids: found.itemIds,
    line_ids: found.lineIds,
    since: found.since,
  };
}
