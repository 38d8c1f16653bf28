import { AppError } from '../../kernel';
import type { Simulation } from '../core/simulation';
import type { CallFaultOrder } from './call-fault-order';
import type { StandingFaultOrder } from './fault-state';

/** The number is limited because every call checks all orders. */
const ORDERS_MAX = 1_000;

/**
 * Orders a fault for the next calls.
 *
 * @throws AppError `conflict` when too many orders wait already.
 */
export function orderCallFault({ world: { faults } }: Simulation, order: CallFaultOrder): StandingFaultOrder {
  if (faults.orders.length >= ORDERS_MAX) {
    throw new AppError('simulated_state', { fault: `${ORDERS_MAX} call faults wait already; remove them first` });
  }
  faults.lastOrder += 1;
  const standing = { ...order, orderId: `call_fault_${faults.lastOrder}` };
  faults.orders = [...faults.orders, standing];
  return standing;
}

/** Removes every waiting order, and a ban. */
export function clearCallFaults({ world: { faults, checkout } }: Simulation): void {
  faults.orders = [];
  checkout.verifyCalls = { ...checkout.verifyCalls, bannedUntil: null };
}
