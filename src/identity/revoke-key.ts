import { AppError } from '../kernel';
import { requireScope, type Actor } from './actor';
import { openApiKeys } from './api-key-store';
import { openAuditTrail } from './audit-store';
import type { KeyDeps } from './create-key';
import { isKeyId } from './key-text';
import { checkReason } from './reason';

export interface RevokeKeyCommand {
  readonly keyId: string;
  readonly reason: string;
  readonly actor: Actor;
  /** Do everything except keep it. */
  readonly dryRun: boolean;
}

export type RevokeKeyOutcome = 'revoked' | 'already_revoked';

/**
 * Makes a key useless from the next time on that anybody looks it up. For good; twice changes nothing.
 *
 * @throws AppError `bad_input` or `not_found`.
 */
export async function revokeKey(
  { database, clock, logger }: KeyDeps,
  { keyId, reason, actor, dryRun }: RevokeKeyCommand,
): Promise<RevokeKeyOutcome> {
  requireScope(actor, 'keys:manage');
  // Not repeated in the message: somebody may have given the whole key.
  if (!isKeyId(keyId)) throw new AppError('bad_input', 'the id of a key has 26 characters, as "keys list" shows it');
  checkReason(reason);
  const outcome = await database.transact(
    async (session): Promise<RevokeKeyOutcome> => {
      const keys = openApiKeys(session);
      const stored = await keys.find(keyId);
      if (stored === undefined) throw new AppError('not_found', `no API key ${keyId}`);
      if (stored.key.revokedAt !== undefined) return 'already_revoked';
      const at = clock.now();
      await keys.revoke(keyId, reason, at, actor.name);
      const detail = { name: stored.key.name, reason };
      await openAuditTrail(session).record({ at, actor, action: 'key.revoked', subject: `key:${keyId}`, detail });
      return 'revoked';
    },
    // A second run finds the row, whether it was ours or that of somebody who revoked it at the same time.
    { retryDuplicate: true, retryUnknownOutcome: true, dryRun },
  );
  if (!dryRun) logger.info('API key revoked', { event: `identity.key.${outcome}`, keyId, recordedBy: actor.name });
  return outcome;
}
