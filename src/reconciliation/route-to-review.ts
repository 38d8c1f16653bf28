import type { Inference, InferredCredit, InferredItem } from '../payout-inference';

/**
 * Turns credits under manual review into proposals: unmatched by a person, partly written off, or returned by the bank
 * unless the inference knows of the return. Runs show the inferred items of these credits and never match them. Pure.
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

/** Copies field by field: times are not own properties of an item, so a spread would lose them. */
function unpaid({ itemId, stream, available, cancelled }: InferredItem): InferredItem {
  return { itemId, lineId: undefined, evidence: undefined, stream, available, cancelled };
}

function proposed(credit: InferredCredit): InferredCredit {
  if (credit.outcome !== 'resolved') return credit;
  return { ...credit, outcome: 'ambiguous', itemIds: [], proposal: credit.itemIds, evidence: undefined };
}
