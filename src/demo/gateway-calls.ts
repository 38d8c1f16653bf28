import { writeFileSync, renameSync } from 'node:fs';
import { AppError } from '../kernel';
import { demoCalls, type DemoCall } from './demo-pack';

const CALL_TIMEOUT_MS = 10_000;

/** What the gateway did and was told. */
export interface CallSummary {
  readonly calls: number;
  readonly atOnce: number;
  /** How often each code was answered, such as `confirm 0`. */
  readonly answers: Readonly<Record<string, number>>;
}

/**
 * Plays the gateway: makes the pack's calls over HTTP, at their times by the clock file, and compares every answer with
 * the expected one. Calls at the same time are compared without regard to their order.
 *
 * @throws AppError `internal` at the first answer that is not the expected one.
 */
export async function playGateway(baseUrl: string, token: string, clockFile: string): Promise<CallSummary> {
  const answers: Record<string, number> = {};
  let calls = 0;
  let atOnce = 0;
  for (const batch of demoCalls()) {
    setClock(clockFile, batch[0]?.at ?? '');
    const got = await Promise.all(batch.map((call) => makeCall(baseUrl, token, call)));
    const expected = batch.map(({ expect }) => JSON.stringify(expect));
    if (JSON.stringify([...got].sort()) !== JSON.stringify(expected.sort())) {
      throw new AppError('internal', `the answers at ${batch[0]?.at} are not the expected ones: ${got.join(' ')}`);
    }
    calls += batch.length;
    atOnce = Math.max(atOnce, batch.length);
    batch.forEach((call, index) => {
      const { code } = JSON.parse(got[index] ?? '{}') as { code?: string };
      const key = `${call.check === undefined ? 'confirm' : 'check'} ${code}`;
      answers[key] = (answers[key] ?? 0) + 1;
    });
  }
  return { calls, atOnce, answers };
}

/** Sets the business clock of every process of the demo. The rename makes sure that nobody reads half an instant. */
export function setClock(clockFile: string, instant: string): void {
  writeFileSync(`${clockFile}.new`, instant);
  renameSync(`${clockFile}.new`, clockFile);
}

async function makeCall(baseUrl: string, token: string, { check, confirm }: DemoCall): Promise<string> {
  const authorization = `Bearer ${token}`;
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const response =
    check === undefined
      ? await fetch(`${baseUrl}/service/confirm`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(confirm),
          signal,
        })
      : await fetch(`${baseUrl}/service/check/${encodeURIComponent(check)}`, { headers: { authorization }, signal });
  return response.text();
}
