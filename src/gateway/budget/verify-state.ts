import type { Instant } from '../../kernel';

/** What is known of the verifies of one payment. */
export type VerifyState =
  | { readonly kind: 'free' }
  /** A process asks now; one that does not end it within the lease is taken for dead. */
  | { readonly kind: 'asking'; readonly flightId: string; readonly since: Instant; readonly leaseMs: number }
  /** `body` is undefined when the answer was too long to be kept. */
  | {
      readonly kind: 'answered';
      readonly flightId: string;
      /** When the request was sent; undefined when our clock cannot tell. */
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
  /** The flight that is to be entered if the payment may be asked about, and its lease. */
  readonly flightId: string;
  readonly leaseMs: number;
  /** The flight of another process that this call waits for: its end counts, however short the spacing is. */
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

/** Decides whether a payment may be asked about, and what is to be noted (`next`; undefined: nothing). Pure. */
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
  if (leftMs <= 0 && state.flightId !== awaited) return claimed;
  if (state.kind === 'answered' && state.body !== undefined) {
    const { askedAt, at: observedAt, body } = state;
    return { next: noted, result: { kind: 'answered', value: body.value, askedAt, observedAt } };
  }
  return { next: noted, result: { kind: 'too_soon', retryAfterMs: Math.max(leftMs, 1) } };
}

/** Ends a flight. Undefined when its lease had passed to another one, whose end counts. Pure. */
export function endFlight(state: VerifyState, flightId: string, end: VerifyState): VerifyState | undefined {
  return state.kind === 'asking' && state.flightId === flightId ? end : undefined;
}

/** What was noted in the future was noted before the clock stepped back. It counts from now: no caller waits longer. */
function notAfter(state: VerifyState, now: Instant): VerifyState {
  switch (state.kind) {
    case 'free':
      return state;
    case 'asking':
      return state.since > now ? { ...state, since: now } : state;
    case 'answered':
      // Nor can be said which events came before it was asked for.
      return state.at > now ? { ...state, at: now, askedAt: undefined } : state;
    case 'failed':
      return state.at > now ? { ...state, at: now } : state;
  }
}
