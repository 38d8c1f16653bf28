import type { RegisteredPayment } from '../agent-calls/summarize-drive';
import type { Simulation } from '../core/simulation';
import { earnMoney } from '../payouts/earn-money';

/** Stored payments are collected money that the gateway owes the integrator. A transaction is owed once. */
export function registerAgentPayments(simulation: Simulation, payments: readonly RegisteredPayment[]): void {
  const { agentPayments } = simulation.world;
  const at = simulation.now();
  for (const { transactionId, agentId: id, amountMillimes } of payments) {
    if (Object.hasOwn(agentPayments, transactionId)) continue;
    agentPayments[transactionId] = { transactionId, agentId: id, amountMillimes, at };
    // A test application moves no money, and nothing of an agent's payment comes later.
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
