export { createLogger } from './command-log';
export { hideValues } from './error-text';
export { silentLogger, type Logger, type LogLevel } from './logger';
export { createServiceLog } from './service-log';
