import type { Clock, Instant } from '../kernel';
import type { Logger } from '../logging';
import { readBearer } from './bearer';
import { checkClaims, type ClaimsExpected } from './claims';
import type { KeyRing } from './key-ring';
import { refused, type Refusal } from './refusal';
import type { Revocations } from './revocations';
import { verifyCompact } from './verify-compact';

/** Who made a request, proven. */
export interface VerifiedToken {
  readonly subject: string;
  readonly jti: string;
  readonly kid: string | undefined;
  readonly expiresAt: Instant;
}

export interface VerifyDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly expected: ClaimsExpected;
  readonly keyRing: KeyRing;
  readonly revocations: Revocations;
}

/**
 * Reads an Authorization header; undefined means 403, whatever the reason. The database is asked last and only about
 * tokens that are good so far, so a bad one is refused even while it is down (open point 131).
 *
 * @throws AppError `unavailable` when a good token's revocation cannot be checked.
 */
export async function verifyToken(deps: VerifyDeps, header: string | undefined): Promise<VerifiedToken | undefined> {
  const verdict = await examine(deps, header);
  if (verdict.ok) {
    if (!(await deps.revocations.has(verdict.token.jti))) return verdict.token;
    logRefusal(deps.logger, refused('revoked'), verdict.token.jti);
    return undefined;
  }
  logRefusal(deps.logger, verdict);
  return undefined;
}

async function examine(
  { clock, expected, keyRing }: VerifyDeps,
  header: string | undefined,
): Promise<{ ok: true; token: VerifiedToken } | Refusal> {
  const bearer = readBearer(header);
  if (!bearer.ok) return bearer;
  const verified = await verifyCompact(bearer.token, await keyRing.current());
  if (!verified.ok) return verified;
  // The time now, not the time at which the request came in.
  const claims = checkClaims(verified.payload, expected, clock.now());
  if (!claims.ok) return claims;
  const { subject, jti, expiresAt } = claims;
  return { ok: true, token: { subject, jti, kid: verified.kid, expiresAt } };
}

/** Only a jti whose signature is good is logged: everything else in the header is text of a stranger. */
function logRefusal(logger: Logger, { reason }: Refusal, jti?: string): void {
  logger.info('a request of the gateway was refused: its token is not good', {
    event: 'service_tokens.refused',
    reason,
    ...(jti === undefined ? {} : { jti }),
  });
}
