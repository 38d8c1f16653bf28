import { guessableFault, isLoopbackHost } from '../kernel';
import type { Config } from './config';

/**
 * Returns what is unsafe in valid settings, one line each that names the variable and shows no secret. An installation
 * may have a reason for each, such as an encrypted network, so Millime warns and starts.
 */
export function unsafeSettings(config: Config): string[] {
  const { listen, metrics, trustedProxies, database, migrationDatabase, webhooks, backupPassphrase } = config;
  return [
    ...(isOpen(listen.host) && trustedProxies.length === 0 ? [OPEN_HOST] : []),
    ...(metrics !== undefined && isOpen(metrics.host) ? [OPEN_METRICS] : []),
    ...databaseFaults('DATABASE_URL', database),
    ...(migrationDatabase === database ? [] : databaseFaults('MIGRATION_DATABASE_URL', migrationDatabase)),
    ...(isGuessable(webhooks?.hintToken, HINT_UNKNOWN_MIN) ? [GUESSABLE_HINT_TOKEN] : []),
    ...(isGuessable(backupPassphrase, PASSWORD_UNKNOWN_MIN) ? [GUESSABLE_PASSPHRASE] : []),
  ];
}

const OPEN_HOST =
  'HOST: other machines can connect without TLS; listen on 127.0.0.1, or name the proxy in front in TRUSTED_PROXIES';
const OPEN_METRICS =
  'METRICS_HOST: other machines can read the metrics without a key; listen on 127.0.0.1, or let only Prometheus reach it';
const GUESSABLE_HINT_TOKEN =
  'HINT_TOKEN: is easy to guess; set 32 random characters, or remove it to use the one of the private key';
const GUESSABLE_PASSPHRASE = 'BACKUP_PASSPHRASE: is easy to guess; use another one for later backups';

/** How many characters must be no part of a known word. A hint token has at least eight. */
const HINT_UNKNOWN_MIN = 6;
const PASSWORD_UNKNOWN_MIN = 8;

function isOpen(host: string): boolean {
  return !isLoopbackHost(host) && host !== '::1';
}

function databaseFaults(variable: string, url: Config['database']): string[] {
  if (url.kind === 'sqlite' || url.hosts.every(({ host }) => isLoopbackHost(host))) return [];
  const faults: string[] = [];
  if (url.tls === undefined) {
    faults.push(`${variable}: the connection to another machine is not encrypted; add "?tls=required"`);
  }
  if (isGuessable(url.password, PASSWORD_UNKNOWN_MIN)) {
    faults.push(`${variable}: the password of a server that others can reach is easy to guess; change it`);
  }
  return faults;
}

function isGuessable(secret: string | undefined, unknownMin: number): boolean {
  return secret !== undefined && guessableFault(secret, { unknownMin }) !== undefined;
}
