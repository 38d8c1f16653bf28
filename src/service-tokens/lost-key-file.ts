import type { Database } from '../db';
import type { Clock } from '../kernel';
import { openServiceTokenStore } from './service-token-store';

export interface LostKeyFileDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keysFile: string;
}

/**
 * What is wrong when there is no key file; undefined when a new one does no harm, because no valid token
 * was signed with the old keys.
 */
export async function lostKeyFileFault({ database, clock, keysFile }: LostKeyFileDeps): Promise<string | undefined> {
  const inUse = await database.read((session) => openServiceTokenStore(session).lastExpiries(clock.now()));
  if (inUse.size === 0) return undefined;
  return (
    `SERVICE_JWT_KEYS_FILE: ${keysFile} is not there, and tokens that have not expired need its keys; put it back, ` +
    'or run "millime token rotate" to begin with a new key'
  );
}
