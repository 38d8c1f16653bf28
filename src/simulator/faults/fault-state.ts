import type { CallFaultOrder } from './call-fault-order';

/** An order that waits for its calls. */
export interface StandingFaultOrder extends CallFaultOrder {
  readonly orderId: string;
}

export interface FaultState {
  orders: readonly StandingFaultOrder[];
  lastOrder: number;
}

export function emptyFaultState(): FaultState {
  return { orders: [], lastOrder: 0 };
}
