/** What `work` gives, or `otherwise` as soon as `cut` is aborted: the work is left alone then, and its errors with it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, otherwise: T): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return otherwise;
  }
  // The signal outlives many such calls: nothing of ours stays on it.
  const over = new AbortController();
  const interrupted = new Promise<T>((resolve) => {
    signal.addEventListener('abort', () => resolve(otherwise), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    over.abort();
  }
}
