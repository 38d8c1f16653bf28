import type { Instant } from '../../kernel';

/** Far above any answer to Verify Payment and small enough for any store. */
const BODY_CHARACTERS_MAX = 65_536;

/** The stored state of the verifies of one payment. */
export type VerifyState =
  | { readonly kind: 'free' }
  /** A process is asking. If it does not end its call within the lease, it counts as crashed. */
  | {
      readonly kind: 'asking';
      readonly flightId: string;
      readonly since: Instant;
      readonly leaseMs: number;
      /** A change of the payment was sent since: the answer is for those callers only that asked before it. */
      readonly isStale?: true;
    }
  /** `body` is undefined when the answer was too long to store, or when a change of the payment was sent since. */
  | {
      readonly kind: 'answered';
      readonly flightId: string;
      /** When the request was sent; undefined if this process's clock cannot tell. */
      readonly askedAt: Instant | undefined;
      readonly at: Instant;
      readonly body: CachedBody | undefined;
    }
  | { readonly kind: 'failed'; readonly flightId: string; readonly at: Instant };

export interface CachedBody {
  readonly value: unknown;
}

export interface VerifyAttempt {
  readonly spacingMs: number;
  /** The flight to start if the payment may be verified, and its lease. */
  readonly flightId: string;
  readonly leaseMs: number;
  /**
   * The other process's flight that this call waits for. Its result is used even if the spacing is shorter than the
   * wait.
   */
  readonly awaited: string | undefined;
}

export type VerifyDecision =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'asking'; readonly flightId: string }
  | {
      readonly kind: 'answered';
      readonly value: unknown;
      readonly askedAt: Instant | undefined;
      readonly observedAt: Instant;
    }
  | { readonly kind: 'too_soon'; readonly retryAfterMs: number };

/** Returns the body to store for later callers, or undefined when it is too long. */
export function cachedBody(body: unknown): CachedBody | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body).length > BODY_CHARACTERS_MAX ? undefined : { value: body };
  } catch {
    // The body is nested too deeply for JSON.stringify. Millime does not cache such a body.
    return undefined;
  }
}

/** Decides whether a payment may be verified, and which state to store (`next`; undefined: none). Pure. */
export function decideVerify(
  given: VerifyState,
  now: Instant,
  { spacingMs, flightId, leaseMs, awaited }: VerifyAttempt,
): { readonly next: VerifyState | undefined; readonly result: VerifyDecision } {
  const state = notAfter(given, now);
  const noted = state === given ? undefined : state;
  const claimed = { next: { kind: 'asking', flightId, since: now, leaseMs }, result: { kind: 'claimed' } } as const;
  if (state.kind === 'free') return claimed;
  if (state.kind === 'asking') {
    if (now >= state.since + state.leaseMs) return claimed;
    return { next: noted, result: { kind: 'asking', flightId: state.flightId } };
  }
  const leftMs = state.at + spacingMs - now;
  const hasAnswer = state.kind === 'answered' && state.body !== undefined;
  const isAwaited = state.flightId === awaited && (hasAnswer || state.kind === 'failed');
  if (leftMs <= 0 && !isAwaited) return claimed;
  if (state.kind === 'answered' && state.body !== undefined) {
    const { askedAt, at: observedAt, body } = state;
    return { next: noted, result: { kind: 'answered', value: body.value, askedAt, observedAt } };
  }
  return { next: noted, result: { kind: 'too_soon', retryAfterMs: Math.max(leftMs, 1) } };
}

/** Returns the state that ends a flight, or undefined when another flight took over its expired lease. Pure. */
export function endFlight(state: VerifyState, flightId: string, end: VerifyState): VerifyState | undefined {
  if (state.kind !== 'asking' || state.flightId !== flightId) return undefined;
  return state.isStale === true && end.kind === 'answered' ? { ...end, body: undefined } : end;
}

/**
 * Returns the state without an answer from before a change of the payment, or undefined when there is none. The times
 * stay, so that the spacing is kept. Pure.
 */
export function dropAnswer(state: VerifyState): VerifyState | undefined {
  if (state.kind === 'answered' && state.body !== undefined) return { ...state, body: undefined };
  if (state.kind === 'asking' && state.isStale !== true) return { ...state, isStale: true };
  return undefined;
}

/**
 * Returns the state with a future time set to now. A future time was stored before the clock stepped back; without this
 * a caller would wait longer.
 */
function notAfter(state: VerifyState, now: Instant): VerifyState {
  switch (state.kind) {
    case 'free':
      return state;
    case 'asking':
      return state.since > now ? { ...state, since: now } : state;
    case 'answered':
      // Which events happened before the request is then unknown as well.
      return state.at > now ? { ...state, at: now, askedAt: undefined } : state;
    case 'failed':
      return state.at > now ? { ...state, at: now } : state;
  }
}
