import type { Texts } from '../../../texts';

/** Returns how often a subscription is charged, such as "2 × month"; undefined if its terms state none. */
export function intervalOf(texts: Texts, terms: Readonly<Record<string, unknown>>): string | undefined {
  const { interval, intervalCount } = terms;
  if (typeof interval !== 'string') return undefined;
  const word = texts.word('interval', interval);
  const count = typeof intervalCount === 'number' ? intervalCount : 1;
  return count === 1 ? word : `${texts.count(count)} × ${word}`;
}
