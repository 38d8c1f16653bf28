/** A link or a pair that is more likely than not. */
export const LIKELY = 0.5;
/** The number, and the share of the explained credits, from which contested credits suggest other cut rates. */
const CONTESTED_MIN = 2;
const CONTESTED_SHARE_MIN = 0.1;

/** A possible payment of a credit, and its probability. */
export interface Choice {
  readonly credit: { readonly index: number };
  readonly share: number;
}

/**
 * Returns the credits, by index, that have a likely choice and an alternative. Returns none if they are too few to
 * suggest other cut rates.
 */
export function contestedCredits(choices: readonly Choice[]): ReadonlySet<number> {
  const explained = new Set(choices.flatMap(({ share, credit }) => (share > LIKELY ? [credit.index] : [])));
  const others = new Set(choices.flatMap(({ share, credit }) => (share > LIKELY ? [] : [credit.index])));
  const contested = new Set([...explained].filter((credit) => others.has(credit)));
  return contested.size >= Math.max(CONTESTED_MIN, CONTESTED_SHARE_MIN * explained.size) ? contested : new Set();
}
