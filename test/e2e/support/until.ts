import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
/** Only tells a wait from none: the machine may be busy. */
const LIMIT_MS = 30_000;

/**
 * Asks again and again until there is an answer (anything but undefined and false), and gives it.
 *
 * @throws Error that says what was waited for, when the time is over.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = LIMIT_MS,
): Promise<T> {
  const deadlineAt = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadlineAt) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await pause(POLL_MS);
  }
}
