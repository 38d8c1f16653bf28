export { type Job, type Lease, type Worker } from './job';
export { jobWatermarks, lastGoodWindow, startScheduler } from './scheduler';
