import type { Inference, InferredCredit, InferredItem } from '../payout-inference';

/**
 * Turns credits under manual review into proposals. They were unmatched by a person, partly written off, or returned by
 * the bank without a return in the inference. Runs show the inferred items of these credits and never match them. Pure.
 */
export function routeToReview(inference: Inference, lineIds: readonly string[]): Inference {
  if (lineIds.length === 0) return inference;
  const underReview = new Set(lineIds);
  for (const { lineId } of inference.returned) underReview.delete(lineId);
  if (!inference.credits.some(({ lineId, outcome }) => outcome === 'resolved' && underReview.has(lineId))) {
    return inference;
  }
  return {
    ...inference,
    credits: inference.credits.map((credit) => (underReview.has(credit.lineId) ? proposed(credit) : credit)),
    items: inference.items.map((item) =>
      item.lineId !== undefined && underReview.has(item.lineId) ? unpaid(item) : item,
    ),
  };
}

/** Copies each field, because times are not own properties of an item and a spread would lose them. */
function unpaid({ itemId, stream, available, cancelled }: InferredItem): InferredItem {
  return { itemId, lineId: undefined, evidence: undefined, stream, available, cancelled };
}

function proposed(credit: InferredCredit): InferredCredit {
  if (credit.outcome !== 'resolved') return credit;
  return { ...credit, outcome: 'ambiguous', itemIds: [], proposal: credit.itemIds, evidence: undefined };
}
