import type { Simulation } from '../core/simulation';
import type { PayableItem } from './payable-item';

/**
 * Adds money that the gateway now owes the integrator, or takes back; payouts consist of it. Do not call it for a test
 * application, whose money no bank pays out.
 */
export function earnMoney({ world }: Simulation, item: PayableItem): void {
  world.earned.push(item);
  world.payoutBook.open.push(item);
}
