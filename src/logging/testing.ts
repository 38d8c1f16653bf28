export { lineLogger } from './line-logger';
export { redact } from './redact';
