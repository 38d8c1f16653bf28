import type { IdentityDeps } from '../identity-deps';
import { openSessions } from '../users/session-store';
import { openDevices } from './device-store';
import { openTries } from './try-store';

const REMOVED_AT_A_TIME = 500;

/** Removes sessions that ended, forgotten tries and browsers that were not used for long. */
export async function removeEnded({ database, clock }: IdentityDeps, signal: AbortSignal): Promise<void> {
  const now = clock.now();
  for (const open of [openSessions, openTries, openDevices]) {
    for (let removed = REMOVED_AT_A_TIME; removed === REMOVED_AT_A_TIME && !signal.aborted;) {
      removed = await database.transact((session) => open(session).removeEnded(now, REMOVED_AT_A_TIME));
    }
  }
}
