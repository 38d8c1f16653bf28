import type { RegisteredPayment } from '../agent-calls/summarize-drive';
import type { Simulation } from '../core/simulation';
import { earnMoney } from '../payouts/earn-money';

/** Adds stored payments of agents to the money that the gateway owes the integrator. Each transaction is added once. */
export function registerAgentPayments(simulation: Simulation, payments: readonly RegisteredPayment[]): void {
  const { agentPayments } = simulation.world;
  const at = simulation.now();
  for (const { transactionId, agentId: id, amountMillimes } of payments) {
    if (Object.hasOwn(agentPayments, transactionId)) continue;
    agentPayments[transactionId] = { transactionId, agentId: id, amountMillimes, at };
    // A test application moves no money. Agent payments cannot change later, so their money is available immediately.
    if (!simulation.settings.isTest) {
      earnMoney(simulation, {
        itemId: `service:${transactionId}`,
        channel: 'agent',
        amountMillimes,
        succeededAt: at,
        availableAt: at,
      });
    }
    simulation.record('agent payment', { transactionId, agentId: id, amountMillimes });
  }
}
