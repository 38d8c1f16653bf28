import { isLoopbackHost } from '../kernel';
import type { Config } from './config';

/**
 * Returns what is unsafe in valid settings, one line each that names the variable and shows no secret. An installation
 * may have a reason for each, such as an encrypted network, so Millime warns and starts.
 */
export function unsafeSettings({ database, migrationDatabase }: Config): string[] {
  return [
    ...plainDatabase('DATABASE_URL', database),
    ...(migrationDatabase === database ? [] : plainDatabase('MIGRATION_DATABASE_URL', migrationDatabase)),
  ];
}

function plainDatabase(variable: string, url: Config['database']): string[] {
  if (url.kind === 'sqlite' || url.tls !== undefined) return [];
  if (url.hosts.every(({ host }) => isLoopbackHost(host))) return [];
  return [`${variable}: the connection to another machine is not encrypted; add "?tls=required"`];
}
