import type { Instant } from '../../kernel';

/** What is known of the looks at one payment. */
export type PaymentLook =
  | { readonly kind: 'free' }
  /** Somebody asks now; who does not end it within the lease is taken for dead. */
  | { readonly kind: 'asking'; readonly flightId: string; readonly since: Instant; readonly leaseMs: number }
  /** `body` is undefined when the answer was too long to be kept. */
  | {
      readonly kind: 'answered';
      readonly flightId: string;
      /** When the request was sent; undefined when our clock cannot tell. */
      readonly askedAt: Instant | undefined;
      readonly at: Instant;
      readonly body: KeptBody | undefined;
    }
  | { readonly kind: 'failed'; readonly flightId: string; readonly at: Instant };

export interface KeptBody {
  readonly value: unknown;
}

export interface LookRequest {
  readonly spacingMs: number;
  /** The flight that is to be entered if the payment may be asked about, and its lease. */
  readonly flightId: string;
  readonly leaseMs: number;
  /** The flight of somebody else that we wait for: its end is ours, however short the spacing is. */
  readonly awaited: string | undefined;
}

export type LookDecision =
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
export function decideLook(
  given: PaymentLook,
  now: Instant,
  { spacingMs, flightId, leaseMs, awaited }: LookRequest,
): { readonly next: PaymentLook | undefined; readonly result: LookDecision } {
  const look = notAfter(given, now);
  const noted = look === given ? undefined : look;
  const claimed = { next: { kind: 'asking', flightId, since: now, leaseMs }, result: { kind: 'claimed' } } as const;
  if (look.kind === 'free') return claimed;
  if (look.kind === 'asking') {
    if (now >= look.since + look.leaseMs) return claimed;
    return { next: noted, result: { kind: 'asking', flightId: look.flightId } };
  }
  const leftMs = look.at + spacingMs - now;
  if (leftMs <= 0 && look.flightId !== awaited) return claimed;
  if (look.kind === 'answered' && look.body !== undefined) {
    const { askedAt, at: observedAt, body } = look;
    return { next: noted, result: { kind: 'answered', value: body.value, askedAt, observedAt } };
  }
  return { next: noted, result: { kind: 'too_soon', retryAfterMs: Math.max(leftMs, 1) } };
}

/** Ends a flight. Undefined when its lease had passed to another one, whose end counts. Pure. */
export function endFlight(look: PaymentLook, flightId: string, end: PaymentLook): PaymentLook | undefined {
  return look.kind === 'asking' && look.flightId === flightId ? end : undefined;
}

/** What was noted in the future was noted before the clock stepped back. It counts from now, so nobody waits longer. */
function notAfter(look: PaymentLook, now: Instant): PaymentLook {
  switch (look.kind) {
    case 'free':
      return look;
    case 'asking':
      return look.since > now ? { ...look, since: now } : look;
    case 'answered':
      // Nor can be said which news came before it was asked for.
      return look.at > now ? { ...look, at: now, askedAt: undefined } : look;
    case 'failed':
      return look.at > now ? { ...look, at: now } : look;
  }
}
