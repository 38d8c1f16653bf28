import { type Actor, openAuditTrail, requireScope } from '../identity';
import { AppError, outsideIdFault } from '../kernel';
import { openRevocationStore } from './revocation-store';
import { openServiceTokenStore } from './service-token-store';
import type { TokenDeps } from './token-deps';

export interface RevokeOutcome {
  readonly kind: 'revoked' | 'already_revoked';
  /** Whether Millime minted the token. Unknown ones are revoked too: a foreign token, or a mistyped jti. */
  readonly known: boolean;
}

export interface RevokeOptions {
  /** Does everything except store it. */
  readonly dryRun?: boolean;
}

/**
 * Revokes a token permanently: in this process immediately, in others within a second. A repeat changes nothing.
 *
 * @throws AppError `bad_input` for a text that cannot be a jti.
 */
export async function revokeToken(
  { database, clock, logger, revocations }: Pick<TokenDeps, 'database' | 'clock' | 'logger' | 'revocations'>,
  jti: string,
  actor: Actor,
  { dryRun = false }: RevokeOptions = {},
): Promise<RevokeOutcome> {
  requireScope(actor, 'tokens:manage');
  const fault = outsideIdFault(jti);
  if (fault !== undefined) throw new AppError('bad_input', { field: 'jti', fault });
  const outcome = await database.transact(
    async (session): Promise<RevokeOutcome> => {
      const revocationStore = openRevocationStore(session);
      const known = await openServiceTokenStore(session).isMinted(jti);
      if (await revocationStore.isRevoked(jti)) return { kind: 'already_revoked', known };
      const at = clock.now();
      await revocationStore.record({ jti, revokedAt: at }, actor.name);
      const detail = { known: known ? 'yes' : 'no' };
      await openAuditTrail(session).record({ at, actor, action: 'token.revoked', subject: `token:${jti}`, detail });
      return { kind: 'revoked', known };
    },
    // A second run finds the revocation, whether this process or another one wrote it.
    { retryDuplicate: true, retryUnknownOutcome: true, dryRun },
  );
  if (dryRun) return outcome;
  revocations.expire();
  logger.info('service token revoked', { event: 'service_tokens.revoked', jti, recordedBy: actor.name, ...outcome });
  return outcome;
}
