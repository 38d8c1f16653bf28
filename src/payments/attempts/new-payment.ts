import { WITHOUT_ANSWER } from '../../attempts';
import type { Payment } from '../payment';

/** The fields of an attempt that are known before the gateway is called. */
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

/** Returns the first row of an attempt: live if it has a reference, and without a state at the gateway. */
export function newPayment(given: NewPayment): Payment {
  return {
    ...WITHOUT_ANSWER,
    ...given,
    isLive: given.reference !== undefined,
    gatewayId: undefined,
    settlementStatus: undefined,
    method: undefined,
    captured: undefined,
    succeededAfter: undefined,
    succeededUntil: undefined,
    itemId: undefined,
  };
}
