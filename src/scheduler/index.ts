export { type Job, type Worker } from './job';
export { jobWatermarks, lastGoodWindow, startScheduler } from './scheduler';
