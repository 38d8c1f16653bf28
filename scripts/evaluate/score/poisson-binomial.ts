/** Returns the probability that at least `count` of independent events occur. */
export function atLeast(count: number, probabilities: readonly number[]): number {
  return Math.max(0, 1 - atMost(count - 1, probabilities));
}

/** Returns the probability that at most `count` of independent events occur. */
export function atMost(count: number, probabilities: readonly number[]): number {
  if (count < 0) return 0;
  // By number of events; more than `count` are not needed.
  let chances = [1, ...Array.from({ length: count }, () => 0)];
  for (const probability of probabilities) {
    chances = chances.map((chance, events) => chance * (1 - probability) + (chances[events - 1] ?? 0) * probability);
  }
  return Math.min(
    1,
    chances.reduce((total, chance) => total + chance, 0),
  );
}
