import type { ConfirmCode } from './agent-answer';
import { type ConfirmFault, type ConfirmResult, isTokenFault } from './agent-caller';

/** The number and the pauses of the tries while the outcome of a confirm is unknown. */
export interface Backoff {
  readonly triesMax: number;
  /** The pause before the second try; it doubles before each further one. */
  readonly firstPauseMs: number;
  /** The longest pause, even if `Retry-After` asks for more. */
  readonly pauseMsMax: number;
}

export const DEFAULT_BACKOFF: Backoff = { triesMax: 6, firstPauseMs: 1_000, pauseMsMax: 60_000 };

/**
 * The gateway's final knowledge of one transaction. `registered` with a `3` needs an earlier try that may have been
 * stored. `refused` is a 403; `not_sent` means that no try reached the other side.
 */
export type KnownOutcome =
  | { readonly kind: 'registered'; readonly code: '0' | '3'; readonly tries: number }
  | { readonly kind: 'not_registered'; readonly code: '1' | '2' | '3'; readonly tries: number }
  | { readonly kind: 'refused' | 'not_sent' | 'unknown'; readonly tries: number };

export interface ConfirmUntilKnown {
  /** Sends the confirm once; each time with the same transactionId, agent and amount. */
  readonly send: (fault: ConfirmFault | undefined) => Promise<ConfirmResult>;
  /** Affects the first try only. */
  readonly firstFault?: ConfirmFault | undefined;
  readonly backoff?: Backoff;
  /** Waits this number of milliseconds, by any clock. */
  readonly sleep: (pauseMs: number) => Promise<void>;
  /** Called before each further try; true skips the try. */
  readonly isStopped?: () => boolean;
}

/**
 * Sends one confirm until its outcome is known, as the gateway does. After a lost reply, a timeout, a 5xx or a failed
 * connection it sends the same transactionId again. The pause doubles each time and is never shorter than
 * `Retry-After`. A `3` after a try that may have been stored means that it was stored (open point 89).
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

/**
 * Returns whether a try without a code may have been stored. Half a body, or a call without a valid token, cannot be.
 */
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
