import {
  type Candidate,
  CANDIDATE_ITEMS_MAX,
  type Inference,
  type InferredCredit,
  type InferredItem,
} from '../payout-inference';

/** Why only people match a credit. */
export type ReviewReason = 'unmatched_before' | 'partly_written_off';

/**
 * Turns credits under manual review into proposals. They were unmatched by a person, partly written off, or returned by
 * the bank without a return in the inference. Runs show the inferred items of these credits and never match them. Pure.
 */
export function routeToReview(inference: Inference, reasons: ReadonlyMap<string, ReviewReason>): Inference {
  if (reasons.size === 0) return inference;
  const underReview = new Map(reasons);
  for (const { lineId } of inference.returned) underReview.delete(lineId);
  if (!inference.credits.some(({ lineId }) => underReview.has(lineId))) return inference;
  return {
    ...inference,
    credits: inference.credits.map((credit) => {
      const reason = underReview.get(credit.lineId);
      return reason === undefined ? credit : reviewed(credit, reason);
    }),
    items: inference.items.map((item) =>
      item.lineId !== undefined && underReview.has(item.lineId) ? unpaid(item) : item,
    ),
  };
}

/** Copies each field, because times are not own properties of an item and a spread would lose them. */
function unpaid({ itemId, stream, available, cancelled }: InferredItem): InferredItem {
  return { itemId, lineId: undefined, evidence: undefined, stream, available, cancelled };
}

function reviewed(credit: InferredCredit, reason: ReviewReason): InferredCredit {
  if (credit.outcome !== 'resolved') {
    const { candidates = [] } = credit;
    return {
      ...credit,
      candidates: candidates.map((each) => ({ ...each, against: [...each.against, { code: reason }] })),
    };
  }
  return {
    ...credit,
    outcome: 'ambiguous',
    itemIds: [],
    proposal: credit.itemIds,
    evidence: undefined,
    candidates: candidateOf(credit, reason),
  };
}

/** Returns the explanation of a resolved credit as its only candidate. */
function candidateOf(credit: InferredCredit, reason: ReviewReason): Candidate[] {
  const { cut, stream, itemIds, gross, fee, tva, remainder: difference, claimedError } = credit;
  if (cut === undefined || stream === undefined) return [];
  return [
    {
      probability: 1 - claimedError,
      kind: 'run',
      stream,
      cut,
      gross,
      fee,
      tva,
      difference,
      itemCount: itemIds.length,
      itemIds: itemIds.slice(0, CANDIDATE_ITEMS_MAX),
      adds: NO_ITEMS,
      lacks: NO_ITEMS,
      against: [{ code: reason }],
    },
  ];
}

const NO_ITEMS = { count: 0, itemIds: [] } as const;
