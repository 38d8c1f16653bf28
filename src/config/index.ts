export { loadConfig, type Config } from './config';
export { parseDatabaseUrl, type DatabaseTls, type DatabaseUrl } from './database-url';
export { loadHolidays } from './holidays';
export { unsafeSettings } from './judge-settings';
export { listSettings, type Setting } from './settings';
