/** Resolves at the first SIGTERM or SIGINT, and ignores later ones: npm and terminals send a second one. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
}
