/** A link or a pair that is more likely than not. */
export const LIKELY = 0.5;
/** Other cut rates need other choices: of so many credits, and of so large a share of those that are explained. */
const CONTESTED_MIN = 2;
const CONTESTED_SHARE_MIN = 0.1;

/** What a credit may have paid, and how likely that is. */
export interface Choice {
  readonly credit: { readonly index: number };
  readonly share: number;
}

/**
 * The credits, by index, that have a likely choice and another beside it; none where these are too few for the others to be
 * those of other cut rates.
 */
export function contestedCredits(choices: readonly Choice[]): ReadonlySet<number> {
  const explained = new Set(choices.flatMap(({ share, credit }) => (share > LIKELY ? [credit.index] : [])));
  const others = new Set(choices.flatMap(({ share, credit }) => (share > LIKELY ? [] : [credit.index])));
  const contested = new Set([...explained].filter((credit) => others.has(credit)));
  return contested.size >= Math.max(CONTESTED_MIN, CONTESTED_SHARE_MIN * explained.size) ? contested : new Set();
}
