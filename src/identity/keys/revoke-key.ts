import { AppError } from '../../kernel';
import { type ReasonedDecision, requireScope } from '../actor';
import { openAuditTrail } from '../audit-store';
import type { IdentityDeps } from '../identity-deps';
import { checkReason } from '../reason';
import { openApiKeys } from './api-key-store';
import { isKeyId } from './key-text';

export interface RevokeKeyCommand extends ReasonedDecision {
  readonly keyId: string;
}

export type RevokeKeyOutcome = 'revoked' | 'already_revoked';

/**
 * Revokes a key permanently: its next use is refused. A repeat changes nothing. A user may revoke keys of their own name
 * without `keys:manage`.
 *
 * @throws AppError `bad_input` or `not_found`.
 */
export async function revokeKey(
  { database, clock, logger }: IdentityDeps,
  { keyId, reason, actor, dryRun }: RevokeKeyCommand,
): Promise<RevokeKeyOutcome> {
  if (actor.kind !== 'user') requireScope(actor, 'keys:manage');
  if (!isKeyId(keyId)) {
    // The value is not repeated, because it may be the whole key.
    const expected = 'a key id of 26 characters, as "keys list" shows it';
    throw new AppError('bad_input', { field: 'keyId', expected });
  }
  checkReason(reason);
  const outcome = await database.transact(
    async (session): Promise<RevokeKeyOutcome> => {
      const keys = openApiKeys(session);
      const stored = await keys.find(keyId);
      // A user without the scope does not learn whether another key exists.
      if (stored?.key.name !== actor.name) requireScope(actor, 'keys:manage');
      if (stored === undefined) throw new AppError('not_found', { thing: 'API key', id: keyId });
      if (stored.key.revokedAt !== undefined) return 'already_revoked';
      const at = clock.now();
      await keys.revoke(keyId, reason, at, actor.name);
      const detail = { name: stored.key.name, reason };
      await openAuditTrail(session).record({ at, actor, action: 'key.revoked', subject: `key:${keyId}`, detail });
      return 'revoked';
    },
    // A second run finds the revocation, whether this process or a concurrent one wrote it.
    { retryDuplicate: true, retryUnknownOutcome: true, dryRun },
  );
  if (!dryRun) logger.info('API key revoked', { event: `identity.key.${outcome}`, keyId, recordedBy: actor.name });
  return outcome;
}
