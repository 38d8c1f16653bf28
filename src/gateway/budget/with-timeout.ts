/**
 * Waits for `work` at most `timeoutMs`, then returns the value of `late` or throws its error. The work itself
 * continues, and its result is ignored.
 */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'too_late'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'too_late');
  });
  try {
    const first = await Promise.race([work.then((result) => ({ result })), tooLate]);
    return first === 'too_late' ? late() : first.result;
  } finally {
    clearTimeout(timer);
  }
}
