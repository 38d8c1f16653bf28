import type { AppError } from '../kernel';
import { keyFileFault } from './file-errors';
import { openServiceTokenStore } from './service-token-store';
import type { TokenDeps } from './token-deps';

/**
 * Returns the fault of a missing key file; undefined if a new one does no harm, because no valid token was signed with
 * the old keys.
 */
export async function lostKeyFileFault({
  database,
  clock,
  keysFile,
}: Pick<TokenDeps, 'database' | 'clock' | 'keysFile'>): Promise<AppError | undefined> {
  const inUse = await database.read((session) => openServiceTokenStore(session).lastExpiries(clock.now()));
  if (inUse.size === 0) return undefined;
  return keyFileFault(keysFile, {
    text: 'is missing, and valid tokens need its keys',
    command: 'restore it, or run "millime token rotate" to begin with a new key',
  });
}
