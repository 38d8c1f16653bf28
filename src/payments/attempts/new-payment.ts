import type { Payment } from '../payment';

/** What is known of an attempt before the gateway was asked. */
export type NewPayment = Pick<
  Payment,
  | 'trackingId'
  | 'kind'
  | 'reference'
  | 'agentId'
  | 'amount'
  | 'ourShare'
  | 'terms'
  | 'isTest'
  | 'requestedAt'
  | 'sentAt'
  | 'recordedBy'
> & { readonly requestState: 'requested' | 'sending' };

/**
 * The row of an attempt as it is first written: live when it has a reference, and nothing known of the gateway's side.
 */
export function newPayment(given: NewPayment): Payment {
  return {
    ...given,
    isLive: given.reference !== undefined,
    requestError: undefined,
    gatewayId: undefined,
    link: undefined,
    sessionEndsAt: undefined,
    status: undefined,
    settlementStatus: undefined,
    method: undefined,
    captured: undefined,
    succeededAfter: undefined,
    succeededUntil: undefined,
    itemId: undefined,
    nextCheckAt: undefined,
    triggeredAt: undefined,
    lastCheckAt: undefined,
    checks: 0,
    failedChecks: 0,
    lastCheckError: undefined,
  };
}
