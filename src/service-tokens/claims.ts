import { type Instant, isOutsideId, MINUTE_MS, ownValue, SECOND_MS } from '../kernel';
import { LIFETIME_MAX_SECONDS } from './limits';
import { type Refusal, refused } from './refusal';

/** How far an issuer's clock may be ahead. `exp` gets no tolerance, because the lifetimes of renewed tokens overlap. */
const CLOCK_SKEW_MAX_MS = MINUTE_MS;

export interface ClaimsExpected {
  readonly issuer: string;
  readonly audience: string;
}

export interface AcceptedClaims {
  readonly ok: true;
  readonly subject: string;
  readonly jti: string;
  readonly expiresAt: Instant;
}

/** Decides by its claims whether a correctly signed token is valid at the instant `now`. Pure. */
export function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  expected: ClaimsExpected,
  now: Instant,
): AcceptedClaims | Refusal {
  if (ownValue(claims, 'iss') !== expected.issuer) return refused('wrong_issuer');
  // JWT allows a list of audiences. Millime's tokens name one service, so a list comes from another issuer.
  if (ownValue(claims, 'aud') !== expected.audience) return refused('wrong_audience');
  const subject = ownValue(claims, 'sub');
  if (!isOutsideId(subject)) return refused('bad_subject');
  const jti = ownValue(claims, 'jti');
  if (!isOutsideId(jti)) return refused('bad_jti');

  const issued = ownValue(claims, 'iat');
  const expires = ownValue(claims, 'exp');
  const notBefore = Object.hasOwn(claims, 'nbf') ? claims['nbf'] : issued;
  if (!isSeconds(issued) || !isSeconds(expires) || !isSeconds(notBefore)) return refused('bad_times');
  if (issued * SECOND_MS > now + CLOCK_SKEW_MAX_MS) return refused('issued_in_future');
  if (notBefore * SECOND_MS > now + CLOCK_SKEW_MAX_MS) return refused('not_yet_valid');
  if (expires <= issued) return refused('bad_times');
  if (expires - issued > LIFETIME_MAX_SECONDS) return refused('lifetime_too_long');
  if (expires * SECOND_MS <= now) return refused('expired');
  return { ok: true, subject, jti, expiresAt: expires * SECOND_MS };
}

/** Requires a safe integer: JSON.parse reads 1e400 as Infinity, which jose accepts as a time in the far future. */
function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
