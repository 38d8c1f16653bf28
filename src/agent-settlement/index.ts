export { createAgentSettlement, type AgentSettlement, type SettlementObserver } from './agent-settlement';
export { agentSettlementRoutes, CONFIRM_CODE } from './agent-settlement-routes';
export { registeredQuestion } from './confirm-store';
export { openAgentItems, type AgentItem } from './item-store';
