import type { PaymentStatus, PaymentType, SimPayment } from './checkout-state';

export type PayingType = Exclude<PaymentType, 'NA'>;

/** How the customer's visit to the checkout page ended. */
export type PaymentOutcome =
  | {
      readonly outcome: 'success';
      readonly type: PayingType;
      /** Pays a payment that has failed or expired; the interface does not rule it out (open point 40). */
      readonly late?: boolean;
    }
  | { readonly outcome: 'failure' | 'system_failure'; readonly type: PaymentType };

export type PaymentRefusal = 'not_pending' | 'card_not_accepted';

export type NextPaymentStatus =
  | { readonly kind: 'moves'; readonly status: PaymentStatus }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal };

type StatusFacts = Pick<SimPayment, 'variant' | 'status' | 'hold' | 'acceptCard'>;

/** Decides the next status of a payment after an outcome (interface section 3.1). Pure. */
export function nextPaymentStatus(payment: StatusFacts, outcome: PaymentOutcome): NextPaymentStatus {
  const late = outcome.outcome === 'success' && outcome.late === true;
  if (payment.status !== 'PENDING' && !(late && canSucceedLate(payment))) return refused('not_pending');
  if (outcome.type === 'card' && !payment.acceptCard) return refused('card_not_accepted');
  return { kind: 'moves', status: statusAfter(payment, outcome.outcome) };
}

/**
 * Returns whether a payment may succeed late. A cancelled pre-authorization may not, because the merchant decided to
 * cancel it.
 */
function canSucceedLate({ status, hold }: StatusFacts): boolean {
  return hold !== 'cancelled' && (status === 'FAILURE' || status === 'EXPIRED' || status === 'SYSTEM_FAILURE');
}

function statusAfter({ variant }: StatusFacts, outcome: PaymentOutcome['outcome']): PaymentStatus {
  switch (outcome) {
    case 'success':
      return variant === 'preauthorization' ? 'PREAUTH_SUCCESS' : 'SUCCESS';
    case 'failure':
      return 'FAILURE';
    case 'system_failure':
      // A charge does not have this status (section 2.5).
      return variant === 'subscription' ? 'FAILURE' : 'SYSTEM_FAILURE';
  }
}

function refused(reason: PaymentRefusal): NextPaymentStatus {
  return { kind: 'refused', reason };
}
