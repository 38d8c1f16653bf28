import type { Database } from '../db';
import type { AppError, Clock } from '../kernel';
import { keyFileFault } from './file-errors';
import { openServiceTokenStore } from './service-token-store';

export interface LostKeyFileDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keysFile: string;
}

/**
 * Returns the fault of a missing key file; undefined if a new one does no harm, because no valid token was signed with
 * the old keys.
 */
export async function lostKeyFileFault({ database, clock, keysFile }: LostKeyFileDeps): Promise<AppError | undefined> {
  const inUse = await database.read((session) => openServiceTokenStore(session).lastExpiries(clock.now()));
  if (inUse.size === 0) return undefined;
  return keyFileFault(
    keysFile,
    'is missing, and valid tokens need its keys; restore it, or run "millime token rotate" to begin with a new key',
  );
}
