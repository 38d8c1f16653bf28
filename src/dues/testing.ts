export type { Due } from './due';
