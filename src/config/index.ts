export {
  loadConfig,
  parseDatabaseUrl,
  type Config,
  type GatewayConfig,
  type WebhookConfig,
  type DatabaseUrl,
} from './config';
export { PACKAGE_ROOT } from './package-root';
export { loadHolidays } from './holidays';
