import type { Simulation } from '../core/simulation';
import type { PayableItem } from './payable-item';

/**
 * Adds money that the gateway now owes the integrator, or takes back; payouts are formed of it. Money of a test
 * application is never earned: no bank pays it out.
 */
export function earnMoney({ world }: Simulation, item: PayableItem): void {
  world.earned.push(item);
  world.payoutBook.open.push(item);
}
