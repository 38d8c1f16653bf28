import type { Explanation } from '../model-answer';

type ByCredit = ReadonlyMap<number, readonly Explanation[]>;

/**
 * Combines two sets of explanations of each credit. An explanation in both counts once; one in only one of them
 * competes with the others. An explanation only in `added` is weakened if `known` assigns its items to other credits.
 */
export function combineExplanations(known: ByCredit, added: ByCredit): Map<number, Explanation[]> {
  const claims = claimsOf(known);
  const combined = new Map<number, Explanation[]>();
  for (const credit of new Set([...known.keys(), ...added.keys()])) {
    const found = new Map<string, Explanation>();
    for (const explanation of known.get(credit) ?? []) found.set(keyOf(explanation), explanation);
    for (const explanation of added.get(credit) ?? []) {
      const before = found.get(keyOf(explanation));
      const share =
        before === undefined
          ? explanation.share * (1 - claimedElsewhere(explanation, credit, claims))
          : Math.max(before.share, explanation.share);
      const near = Math.max(before?.nearError ?? 0, explanation.nearError);
      found.set(keyOf(explanation), {
        ...(before ?? explanation),
        share,
        nearError: near,
        cutFrom: Math.min(before?.cutFrom ?? Infinity, explanation.cutFrom),
        cutTo: Math.max(before?.cutTo ?? -Infinity, explanation.cutTo),
      });
    }
    combined.set(
      credit,
      [...found.values()].sort((a, b) => b.share - a.share),
    );
  }
  return combined;
}

/** Returns, by item, the credits that pay it with their probabilities. */
function claimsOf(explanations: ByCredit): Map<number, Map<number, number>> {
  const claims = new Map<number, Map<number, number>>();
  for (const [credit, found] of explanations) {
    for (const { items, share } of found) {
      for (const item of items) {
        const ofItem = claims.get(item) ?? new Map<number, number>();
        ofItem.set(credit, Math.min(1, (ofItem.get(credit) ?? 0) + share));
        claims.set(item, ofItem);
      }
    }
  }
  return claims;
}

function claimedElsewhere(
  { items }: Explanation,
  credit: number,
  claims: ReadonlyMap<number, ReadonlyMap<number, number>>,
): number {
  let most = 0;
  for (const item of items) {
    for (const [other, share] of claims.get(item) ?? []) if (other !== credit) most = Math.max(most, share);
  }
  return most;
}

function keyOf({ stream, kind, items }: Explanation): string {
  return `${stream}:${kind === 'part' ? kind : ''}:${items.join()}`;
}
