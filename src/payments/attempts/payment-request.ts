import { idFaults, linkFaults, type PaymentSettings } from '../../attempts';
import type { GatewayClient } from '../../gateway';
import { addMillimes, type FieldFault, type Instant, millimes, negateMillimes, newId } from '../../kernel';
import type { Payment } from '../payment';
import type { PaymentRequest } from '../payments';
import { checkoutTerms, termsFaults } from './checkout-terms';
import { newPayment } from './new-payment';

export interface WrittenBy {
  readonly requestState: 'requested' | 'sending';
  readonly at: Instant;
  readonly recordedBy: string;
}

/**
 * Reads a request for a hosted-checkout payment. Returns the attempt to store, with a new tracking id, or all faults of
 * the request. It sends nothing and reads no table; the caller checks whether the agent exists.
 */
export function readPaymentRequest(
  gateway: GatewayClient,
  settings: PaymentSettings,
  request: PaymentRequest,
  { requestState, at, recordedBy }: WrittenBy,
): { readonly payment: Payment } | { readonly faults: readonly FieldFault[] } {
  const trackingId = newId();
  const terms = checkoutTerms(request, settings, trackingId);
  const faults: FieldFault[] = [
    ...idFaults('reference', request.reference),
    ...idFaults('agentId', request.agentId),
    ...linkFaults(terms),
  ];
  for (const [field, reasons] of Object.entries(termsFaults(gateway, request.kind, terms))) {
    if (!faults.some((fault) => fault.field === field)) faults.push(...reasons.map((fault) => ({ field, fault })));
  }
  if (faults.length > 0) return { faults };
  const amount = millimes(request.amountMillimes);
  return {
    payment: newPayment({
      trackingId,
      kind: request.kind,
      reference: request.reference,
      agentId: request.agentId,
      amount,
      ourShare: (request.destination ?? []).reduce(
        (left, part) => addMillimes(left, negateMillimes(millimes(part.amountMillimes))),
        amount,
      ),
      terms: { ...terms },
      isTest: settings.isTest,
      requestState,
      requestedAt: at,
      sentAt: requestState === 'sending' ? at : undefined,
      recordedBy,
    }),
  };
}
