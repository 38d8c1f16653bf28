import type { Simulation } from '../core/simulation';
import { type CheckoutState, clientKey, type SimBinding, type SimPayment } from './checkout-state';
import type { PayingType } from './next-payment-status';
import { payerOf } from './payer-of';

/** Returns the saved payment methods of a client, oldest first; `undefined` if no payment ever named the client. */
export function bindingsOfClient(checkout: CheckoutState, clientId: string): readonly SimBinding[] | undefined {
  const ids = checkout.bindingIdsOfClients[clientKey(clientId)];
  return ids?.flatMap((id) => checkout.bindings[id] ?? []);
}

/** Returns the type of the payment method that an earlier payment of the same client saved (interface section 2.3). */
export function savedTypeOf(
  checkout: CheckoutState,
  { variant, clientId }: Pick<SimPayment, 'variant' | 'clientId'>,
): PayingType | undefined {
  if (variant !== 'binding' || clientId === null) return undefined;
  const saved = bindingsOfClient(checkout, clientId)?.find(({ status }) => status === 'active');
  if (saved === undefined) return undefined;
  return saved.cardLastFour === '' ? 'wallet' : 'card';
}

/**
 * Links a paid payment to the binding of its client: the first success creates it, later ones reuse it (section 2.3). A
 * payment by mobile switch creates none, because nothing of it can be charged again.
 */
export function bindPayer(simulation: Simulation, payment: SimPayment): void {
  const { variant, clientId, type } = payment;
  if (variant !== 'binding' || clientId === null) return;
  const { checkout } = simulation.world;
  const [saved] = bindingsOfClient(checkout, clientId) ?? [];
  if (saved !== undefined) {
    payment.bindingId = saved.bindingId;
    return;
  }
  if (type === 'mpayment') return;
  const { cardLastFour, cardBrand } = payerOf(simulation, payment);
  const binding: SimBinding = {
    bindingId: simulation.newUuid(),
    clientId,
    cardLastFour: type === 'card' ? cardLastFour : '',
    cardBrand: type === 'card' ? cardBrand : '',
    status: 'active',
    createdAt: simulation.now(),
  };
  checkout.bindings[binding.bindingId] = binding;
  checkout.bindingIdsOfClients[clientKey(clientId)] = [binding.bindingId];
  payment.bindingId = binding.bindingId;
  simulation.record('binding.created', { bindingId: binding.bindingId, paymentId: payment.paymentId });
}
