import type { ConfirmCode } from './agent-answer';
import { type ConfirmFault, type ConfirmResult, isTokenFault } from './agent-caller';

/** How often and how soon a confirm is sent again while its outcome is not known. */
export interface Backoff {
  readonly triesMax: number;
  /** Before the second try; doubled before each further one. */
  readonly firstPauseMs: number;
  /** The longest pause, also when `Retry-After` asks for more. */
  readonly pauseMsMax: number;
}

export const DEFAULT_BACKOFF: Backoff = { triesMax: 6, firstPauseMs: 1_000, pauseMsMax: 60_000 };

/**
 * What the gateway knows about one transaction in the end. `registered` by a `3` needs an earlier try that may have been
 * stored. `refused` is a 403; `not_sent` means that no try ever reached the other side.
 */
export type KnownOutcome =
  | { readonly kind: 'registered'; readonly code: '0' | '3'; readonly tries: number }
  | { readonly kind: 'not_registered'; readonly code: '1' | '2' | '3'; readonly tries: number }
  | { readonly kind: 'refused' | 'not_sent' | 'unknown'; readonly tries: number };

export interface ConfirmUntilKnown {
  /** Sends the confirm once; the same transactionId, agent and amount each time. */
  readonly send: (fault: ConfirmFault | undefined) => Promise<ConfirmResult>;
  /** Strikes the first try only. */
  readonly firstFault?: ConfirmFault | undefined;
  readonly backoff?: Backoff;
  /** Waits this number of milliseconds, by any clock. */
  readonly sleep: (pauseMs: number) => Promise<void>;
  /** Called before each further try; true skips it. */
  readonly isStopped?: () => boolean;
}

/**
 * Sends one confirm until its outcome is known, as the gateway does: after a lost reply, a time-out, a 5xx or no
 * connection the same transactionId goes out again, after a pause that doubles and is never shorter than `Retry-After`.
 * A `3` after a try that may have been stored says that it was (open point 89).
 */
export async function confirmUntilKnown(options: ConfirmUntilKnown): Promise<KnownOutcome> {
  const { send, firstFault, backoff = DEFAULT_BACKOFF, sleep, isStopped = () => false } = options;
  let mayBeStored = false;
  for (let tries = 1; ; tries += 1) {
    const fault = tries === 1 ? firstFault : undefined;
    const result = await send(fault);
    if (result.kind === 'answered') return outcomeOf(result.body.code, mayBeStored, tries);
    mayBeStored ||= mayHaveStored(result, fault);
    const final = result.kind === 'refused' || result.kind === 'unexpected';
    if (!final && tries < backoff.triesMax) {
      await sleep(pauseBefore(tries + 1, backoff, result));
      if (!isStopped()) continue;
    }
    if (mayBeStored) return { kind: 'unknown', tries };
    return { kind: result.kind === 'refused' ? 'refused' : 'not_sent', tries };
  }
}

/** Whether a try that brought no code can have been stored. Half a body, or a call without a good token, cannot. */
export function mayHaveStored(result: ConfirmResult, fault: ConfirmFault | undefined): boolean {
  if (isTokenFault(fault) || fault === 'cut_request') return false;
  return result.kind !== 'answered' && result.kind !== 'refused' && result.kind !== 'not_connected';
}

function outcomeOf(code: ConfirmCode, mayBeStored: boolean, tries: number): KnownOutcome {
  if (code === '0' || (code === '3' && mayBeStored)) return { kind: 'registered', code, tries };
  return { kind: 'not_registered', code, tries };
}

function pauseBefore(tryNumber: number, { firstPauseMs, pauseMsMax }: Backoff, result: ConfirmResult): number {
  const asked = result.kind === 'failed' ? (result.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(firstPauseMs * 2 ** (tryNumber - 2), asked), pauseMsMax);
}
