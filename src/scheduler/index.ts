export { type Job, type Lease, type Worker } from './job';
export { jobWatermarks, startScheduler } from './scheduler';
