export type { SchedulerDeps, Stopping } from './job';
export { type JobClaim, openJobClaimStore } from './job-claim-store';
export { keepLease } from './keep-lease';
export { runDueWindows } from './run-due-windows';
