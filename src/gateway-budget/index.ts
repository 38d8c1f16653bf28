export { createSharedBudgetStore } from './shared-budget-store';
