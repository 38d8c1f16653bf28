import type { Inference, InferredCredit, InferredItem } from '../payout-inference';

/**
 * A credit whose match somebody took back, or of which a part is written off, is for people to decide: what the inference
 * says of it is shown, as a proposal, and matched by nobody else. The same holds for one that the bank took back, unless
 * the inference knows of its return. Pure.
 */
export function routeToReview(inference: Inference, lineIds: readonly string[]): Inference {
  if (lineIds.length === 0) return inference;
  const underReview = new Set(lineIds);
  for (const { lineId } of inference.returned) underReview.delete(lineId);
  if (!inference.credits.some(({ lineId, outcome }) => outcome === 'resolved' && underReview.has(lineId)))
    return inference;
  return {
    ...inference,
    credits: inference.credits.map((credit) => (underReview.has(credit.lineId) ? proposed(credit) : credit)),
    items: inference.items.map((item) =>
      item.lineId !== undefined && underReview.has(item.lineId) ? unpaid(item) : item,
    ),
  };
}

/** Field by field: what an item knows of its time is no property of its own, and a spread would lose it. */
function unpaid({ itemId, stream, available, cancelled }: InferredItem): InferredItem {
  return { itemId, lineId: undefined, evidence: undefined, stream, available, cancelled };
}

function proposed(credit: InferredCredit): InferredCredit {
  if (credit.outcome !== 'resolved') return credit;
  return { ...credit, outcome: 'ambiguous', itemIds: [], proposal: credit.itemIds, evidence: undefined };
}
