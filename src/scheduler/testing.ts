export type { SchedulerDeps, Stopping } from './job';
export { type JobClaim, openJobRunStore } from './job-run-store';
export { keepLease } from './keep-lease';
export { runDueWindows } from './run-due-windows';
