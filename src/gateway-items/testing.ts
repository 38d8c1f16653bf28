export type { FeeOutcome } from './post-item';
