/**
 * Returns the result of `work`, or `otherwise` once `signal` aborts. The work then continues, and its errors are
 * ignored.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, otherwise: T): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return otherwise;
  }
  // The signal outlives many such calls, so each removes its listener.
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
