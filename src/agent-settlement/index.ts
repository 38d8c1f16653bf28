export { createAgentSettlement, type AgentSettlement } from './agent-settlement';
export { agentSettlementRoutes } from './agent-settlement-routes';
export { registeredQuestion } from './confirm-store';
export { openAgentItems, type AgentItem } from './item-store';
