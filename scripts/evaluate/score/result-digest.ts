import { sha256Hex } from '../../../src/kernel';
import type { MatchResult } from '../../../src/payout-inference';

/** Returns one text for one result, independent of the order of the request. */
export function resultDigest({ model, fees, credits, items, breaks }: MatchResult): string {
  return sha256Hex(
    canonicalJson({
      model,
      fees: sorted(fees),
      credits: sorted(credits),
      items: sorted(items),
      breaks: sorted(breaks),
    }),
  );
}

/** These lists are sets. The lists inside them have their own order, which must not depend on the request either. */
function sorted(rows: readonly object[]): string[] {
  return rows.map(canonicalJson).sort();
}

function canonicalJson(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
