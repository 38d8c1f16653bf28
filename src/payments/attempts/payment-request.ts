import type { GatewayClient } from '../../gateway';
import { addMillimes, millimes, negateMillimes, newId, outsideIdFault, type Instant } from '../../kernel';
import { checkoutTerms, termsFaults } from './checkout-terms';
import { newPayment } from './new-payment';
import type { Payment } from '../payment';
import type { PaymentRequest, PaymentSettings } from '../payments';

/** What is wrong with one field of a request, by the name that the request has for it. */
export interface FieldFault {
  readonly field: string;
  readonly reason: string;
}

export interface WrittenBy {
  readonly requestState: 'requested' | 'sending';
  readonly at: Instant;
  readonly recordedBy: string;
}

/**
 * Reads a request for a hosted-checkout payment: the attempt to write down, with a tracking id of its own, or all that
 * is wrong with the request. Sends nothing and reads no table; whether the agent is known is for the caller.
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
    ...linkFaults('successLink', terms.successLink),
    ...linkFaults('failLink', terms.failLink),
  ];
  for (const [field, reasons] of Object.entries(termsFaults(gateway, request.kind, terms))) {
    if (!faults.some((fault) => fault.field === field)) faults.push(...reasons.map((reason) => ({ field, reason })));
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

function idFaults(field: string, value: string | undefined): FieldFault[] {
  const reason = value === undefined ? undefined : outsideIdFault(value);
  return reason === undefined ? [] : [{ field, reason }];
}

function linkFaults(field: string, link: string): FieldFault[] {
  return link === '' ? [{ field, reason: 'is needed: it is not given, and no default is set' }] : [];
}
