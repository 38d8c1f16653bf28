export { type Job, type Worker } from './job';
export { type JobState, jobStates } from './job-states';
export { jobWatermarks, lastGoodWindow, startScheduler } from './scheduler';
