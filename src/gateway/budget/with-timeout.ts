/**
 * Waits for `work`, but not longer than `timeoutMs`: then what `late` gives, or throws, counts. The work itself goes
 * on, and its end is ignored.
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
