export { type CallBudget, createCallBudget } from './budget/call-budget';
export { memoryBudgetStore } from './budget/memory-budget-store';
export { createPausingClient } from './gateway-client';
