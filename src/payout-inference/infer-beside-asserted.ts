import { elementAt } from './at';
import type { Candidate } from './candidate';
import type { AssertedPayout, MatchRequest, Observation } from './match-request';
import type { Inference, InferredCredit } from './match-result';
import type { Explanation } from './model-answer';
import { NO_ITEM, observedItems } from './observed-items';

/** An explanation that is at least this likely agrees with what a person says. */
const AGREES_MIN = 0.5;

/** The inference of a file, and the likeliest explanation of each credit by its place among the credits. */
export interface InferredFile {
  readonly inference: Inference;
  readonly explanationOf: (credit: number) => Explanation | undefined;
}

/**
 * Infers beside the credits that people matched. Without them, a file would lose evidence with each decision of a
 * person: a chain of four credits proves a model, and three do not. So the inference reads them as open
 * credits, and its answer counts only if it agrees with the people. Those with which it does not agree are left out,
 * with their items.
 */
export function inferBesideAsserted(request: MatchRequest, infer: (file: MatchRequest) => InferredFile): Inference {
  const { asserted = [] } = request;
  if (asserted.length === 0) return infer(request).inference;
  const first = agreeingWith(request, asserted, infer);
  if (first.inference !== undefined) return first.inference;
  const second = first.agreed.length === 0 ? undefined : agreeingWith(request, first.agreed, infer);
  return second?.inference ?? infer(request).inference;
}

/** Returns the inference if it agrees with all the asserted payouts; otherwise those with which it agrees. */
function agreeingWith(
  request: MatchRequest,
  asserted: readonly AssertedPayout[],
  infer: (file: MatchRequest) => InferredFile,
): { readonly inference: Inference | undefined; readonly agreed: readonly AssertedPayout[] } {
  const file = withAsserted(request, asserted);
  const { inference, explanationOf } = infer(file);
  const placeOf = new Map(inference.credits.map(({ lineId }, place) => [lineId, place]));
  const agreed = asserted.filter(({ line, items }) => {
    const explanation = explanationOf(placeOf.get(line.lineId) ?? -1);
    return explanation !== undefined && isSameRun(file, explanation, items);
  });
  if (agreed.length < asserted.length) return { inference: undefined, agreed };
  const lineIds = new Set(asserted.map(({ line }) => line.lineId));
  const itemIds = new Set(asserted.flatMap(({ items }) => items.map(({ itemId }) => itemId)));
  const others = inference.credits.filter(({ lineId }) => !lineIds.has(lineId));
  // A credit that was resolved by a payment of another one contradicts the people.
  if (others.some((credit) => credit.itemIds.some((itemId) => itemIds.has(itemId)))) {
    return { inference: undefined, agreed: [] };
  }
  return {
    inference: {
      ...inference,
      credits: others.map((credit) => withoutItems(credit, itemIds)),
      items: inference.items.slice(0, request.items.length),
      returned: inference.returned.filter(({ lineId }) => !lineIds.has(lineId)),
    },
    agreed,
  };
}

/** Adds the asserted payouts to a request, their items behind its own. */
function withAsserted(request: MatchRequest, asserted: readonly AssertedPayout[]): MatchRequest {
  const { items, observations, lines } = request;
  const added = asserted.flatMap((each) => each.items);
  const seen = asserted.flatMap((each) => each.observations);
  return {
    ...request,
    items: [...items, ...added],
    observations: [...observations, ...seen],
    observedItems: [...Array.from(observedItems(request)), ...placesOf(seen, added, items.length)],
    lines: [...lines, ...asserted.map(({ line }) => line)],
    asserted: undefined,
  };
}

function placesOf(seen: readonly Observation[], added: MatchRequest['items'], first: number): number[] {
  const placeOf = new Map(added.map(({ itemId }, place) => [itemId, first + place]));
  return seen.map(({ itemId }) => placeOf.get(itemId) ?? NO_ITEM);
}

/** Returns whether an explanation pays these items. Payments that were refunded in the run may be among them. */
function isSameRun(
  { items }: MatchRequest,
  { items: paid, pairs = [], share, kind }: Explanation,
  asserted: MatchRequest['items'],
): boolean {
  if (kind === 'part' || share < AGREES_MIN) return false;
  const ids = new Set(asserted.map(({ itemId }) => itemId));
  for (const pair of pairs) ids.delete(elementAt(items, pair).itemId);
  return ids.size === paid.length && paid.every((index) => ids.has(elementAt(items, index).itemId));
}

/** Removes the explanations of an open credit that would pay items of another one again. */
function withoutItems(credit: InferredCredit, gone: ReadonlySet<string>): InferredCredit {
  const isOpen = (itemId: string): boolean => !gone.has(itemId);
  const { mayHold, candidates } = credit;
  return {
    ...credit,
    commonCore: credit.commonCore.filter(isOpen),
    proposal: credit.proposal.every(isOpen) ? credit.proposal : [],
    mayHold: mayHold?.filter(isOpen),
    candidates: candidates?.filter(({ itemIds }: Candidate) => itemIds.every(isOpen)),
  };
}
