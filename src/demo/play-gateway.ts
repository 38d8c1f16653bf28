import { readFileSync } from 'node:fs';
import { AppError } from '../kernel';
import { createAgentCaller, playCalls } from '../simulator';
import { DEMO_FILES } from './demo-pack';
import { setClock } from './set-clock';

const CALL_TIMEOUT_MS = 10_000;

/** What the gateway did and was told. */
export interface CallSummary {
  readonly calls: number;
  readonly atOnce: number;
  /** How often each code was answered, such as `confirm 0`. */
  readonly answers: Readonly<Record<string, number>>;
}

/**
 * Lets the simulator make the pack's calls over HTTP, at their times by the clock file.
 *
 * @throws AppError `internal` at the first answer that is not the expected one.
 */
export async function playGateway(baseUrl: string, token: string, clockFile: string): Promise<CallSummary> {
  const played = await playCalls({
    caller: createAgentCaller({ baseUrl, token, timeoutMs: CALL_TIMEOUT_MS }),
    calls: readFileSync(DEMO_FILES.calls, 'utf8'),
    at: (instant) => setClock(clockFile, instant),
  });
  if (played.kind === 'as_expected') return played;
  throw new AppError('internal', `the answers at ${played.at} are not the expected ones: ${played.got.join(' ')}`);
}
