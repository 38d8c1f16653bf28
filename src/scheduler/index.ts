export { jobWatermarks, startScheduler, type Job } from './scheduler';
