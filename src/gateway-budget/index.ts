export { createSharedBudgetStore, sharedBudgetReader } from './shared-budget-store';
