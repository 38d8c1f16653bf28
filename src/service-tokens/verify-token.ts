import { type Instant, ownValue } from '../kernel';
import type { Logger } from '../logging';
import { checkClaims } from './claims';
import { decodeJsonObject } from './json-object';
import type { KeySet, KeySource } from './key-set';
import type { SignedToken } from './known-signatures';
import { TOKEN_BYTES_MAX } from './limits';
import { parseCompact, type ParsedCompact } from './parse-compact';
import { type Refusal, refused } from './refusal';
import type { TokenDeps } from './token-deps';
import { type VerifiedCompact, verifyCompact } from './verify-compact';

const SCHEME = 'Bearer ';

/** The proven sender of a request. */
export interface VerifiedToken {
  readonly subject: string;
  readonly jti: string;
  readonly kid: string | undefined;
  readonly expiresAt: Instant;
}

export interface VerifyOptions {
  /**
   * Returns whether an invalid token is refused without a log line. A revoked one is always logged, because it was once
   * valid.
   */
  readonly isQuiet?: () => boolean;
}

export type VerifyDeps = Pick<TokenDeps, 'clock' | 'logger' | 'expected' | 'issuers' | 'revocations' | 'signatures'>;

/**
 * Verifies an Authorization header; undefined means 403, whatever the reason. The database is read last and only for
 * tokens that are valid so far, so an invalid one is refused even during an outage (open point 131).
 *
 * @throws AppError `unavailable` when a valid token's revocation cannot be checked, or the keys of its issuer cannot be
 * fetched.
 */
export async function verifyToken(
  deps: VerifyDeps,
  header: string | undefined,
  { isQuiet = () => false }: VerifyOptions = {},
): Promise<VerifiedToken | undefined> {
  const verdict = await examine(deps, header);
  if (verdict.ok) {
    if (!(await deps.revocations.has(verdict.token.jti))) return verdict.token;
    logRefusal(deps.logger, refused('revoked'), verdict.token.jti);
    return undefined;
  }
  if (!isQuiet()) logRefusal(deps.logger, verdict);
  return undefined;
}

async function examine(
  deps: VerifyDeps,
  header: string | undefined,
): Promise<{ ok: true; token: VerifiedToken } | Refusal> {
  const bearer = readBearer(header);
  if (!bearer.ok) return bearer;
  const { clock, expected, signatures } = deps;
  const known = await signatures.find(bearer.token);
  const signed = known ?? (await signedToken(deps, bearer.token));
  if (!signed.ok) return signed;
  // The current time, not the arrival of the request.
  const claims = checkClaims(signed.payload, { issuer: signed.issuer, audience: expected.audience }, clock.now());
  if (!claims.ok) {
    signatures.forget(bearer.token);
    return claims;
  }
  if (known === undefined) signatures.remember(bearer.token, signed);
  const { subject, jti, expiresAt } = claims;
  return { ok: true, token: { subject, jti, kid: signed.kid, expiresAt } };
}

/** Checks everything about a token that does not change while its keys stay the same. */
async function signedToken(
  { expected, issuers }: Pick<VerifyDeps, 'expected' | 'issuers'>,
  token: string,
): Promise<SignedToken | Refusal> {
  const parsed = parseCompact(token);
  if (!parsed.ok) return parsed;
  const payload = decodeJsonObject(parsed.payload);
  if (payload === undefined) return refused('bad_payload');
  // Read before the signature is checked, but used only to select the keys.
  const issuer = ownValue(payload, 'iss');
  const source = typeof issuer === 'string' ? issuers.get(issuer) : undefined;
  if (typeof issuer !== 'string' || source === undefined) return refused('wrong_issuer');
  if (issuer === expected.issuer && !isTypeOfMillime(ownValue(parsed.header, 'typ'))) return refused('wrong_type');
  const verified = await verifyWith(source, parsed);
  return verified.ok ? { ...verified, issuer, payload, source } : verified;
}

/**
 * Millime writes the typ "JWT". Another program that signs with SERVICE_JWT_SECRET may leave it out. Another typ is that
 * of a token for another purpose, signed with the same key (RFC 8725 section 3.11).
 */
function isTypeOfMillime(typ: unknown): boolean {
  return typ === undefined || (typeof typ === 'string' && /^(application\/)?jwt$/i.test(typ));
}

/** Returns the token of an Authorization header: the scheme in any case, one space, and nothing after the token. */
function readBearer(header: string | undefined): { ok: true; token: string } | Refusal {
  if (header === undefined) return refused('no_header');
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME.toLowerCase()) return refused('not_bearer');
  if (header.length > SCHEME.length + TOKEN_BYTES_MAX) return refused('too_long');
  return { ok: true, token: header.slice(SCHEME.length) };
}

/**
 * Verifies with the current keys and, if the key is unknown, once more after a refresh, because a new token may have a
 * new key.
 */
async function verifyWith(
  source: KeySource,
  parsed: ParsedCompact,
): Promise<(VerifiedCompact & { readonly keys: KeySet }) | Refusal> {
  const current = await source.current();
  const verified = await verifyCompact(parsed, current);
  if (verified.ok) return { ...verified, keys: current };
  if (verified.reason !== 'unknown_key') return verified;
  const keys = await source.refresh(current);
  const again = await verifyCompact(parsed, keys);
  return again.ok ? { ...again, keys } : again;
}

/** Logs the jti only if the signature is valid; any other text in the header comes from a stranger. */
function logRefusal(logger: Logger, { reason }: Refusal, jti?: string): void {
  logger.info('gateway request refused, token invalid', {
    event: 'service_tokens.refused',
    reason,
    ...(jti === undefined ? {} : { jti }),
  });
}
