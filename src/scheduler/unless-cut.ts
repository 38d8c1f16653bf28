/** What `work` gives, or `otherwise` as soon as `cut` is aborted: the work is left alone then, and its errors with it. */
export async function unlessCut<T>(work: Promise<T>, cut: AbortSignal, otherwise: T): Promise<T> {
  if (cut.aborted) {
    work.catch(() => undefined);
    return otherwise;
  }
  // The signal outlives many such calls: nothing of ours stays on it.
  const over = new AbortController();
  const cutShort = new Promise<T>((resolve) => {
    cut.addEventListener('abort', () => resolve(otherwise), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, cutShort]);
  } finally {
    over.abort();
  }
}
