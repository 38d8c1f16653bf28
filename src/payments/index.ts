export { createSharedBudgetStore } from './budget-store';
