import type { CallFaultOrder } from './call-fault-order';

/** An order that waits for its calls. */
export interface StandingFaultOrder extends CallFaultOrder {
  readonly orderId: string;
}

export interface FaultState {
  orders: readonly StandingFaultOrder[];
  lastOrder: number;
  /** The calls that a magic amount has already affected, oldest first. */
  struck: readonly string[];
}

export function emptyFaultState(): FaultState {
  return { orders: [], lastOrder: 0, struck: [] };
}

declare module '../core/world' {
  interface World {
    readonly faults: FaultState;
  }
}
