import type { Instant } from '../../kernel';

/** An agent's payment that the integrator stored. */
interface AgentPayment {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amountMillimes: number;
  readonly at: Instant;
}

/** By transaction id. */
type AgentPaymentState = Record<string, AgentPayment>;

export function emptyAgentPayments(): AgentPaymentState {
  return {};
}

declare module '../core/world' {
  interface World {
    agentPayments: AgentPaymentState;
  }
}
