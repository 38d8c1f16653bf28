export { createLogger } from './command-log';
export { hideValues } from './error-text';
export { silentLogger, type Logger } from './logger';
export { createServiceLog } from './service-log';
