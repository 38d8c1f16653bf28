import type { Instant } from '../../kernel';
import type { Payment, PaymentObservation } from '../payment';

/** Our word for an answer that has no transaction, or not one that can be told to be ours. */
export const NOT_LISTED = 'not_listed';

/** What a decision about a POS, QR or wallet payment stands on. */
export interface ChannelFacts {
  readonly payment: Payment;
  readonly observedAt: Instant;
  /** Those before this answer, the oldest first. */
  readonly observations: readonly PaymentObservation[];
}

/** When the payment was sent to the gateway, as far as we know. */
export function startOf({ sentAt, requestedAt }: Pick<Payment, 'sentAt' | 'requestedAt'>): Instant {
  return sentAt ?? requestedAt;
}

/** Since when every status check saw this status; the answer itself is the last of them. */
export function statusSince({ observations, observedAt }: ChannelFacts, status: string): Instant {
  let since = observedAt;
  for (const observation of observations.toReversed()) {
    if (observation.status !== status) return since;
    since = observation.observedAt;
  }
  return since;
}
