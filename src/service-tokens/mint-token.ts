import { SignJWT } from 'jose';
import type { Database } from '../db';
import { requireScope, type Actor } from '../identity';
import { AppError, assert, newId, outsideIdFault, type Clock, type Instant } from '../kernel';
import type { Logger } from '../logging';
import type { ClaimsExpected } from './claims';
import type { KeyRing } from './key-ring';
import type { SigningKey } from './key-set';
import { LIFETIME_MAX_SECONDS, TOKEN_BYTES_MAX } from './limits';
import { openServiceTokenStore } from './service-token-store';

export interface MintCommand {
  /** Whom the token is for; the gateway is `gateway`. */
  readonly subject: string;
  readonly ttlSeconds: number;
  readonly actor: Actor;
}

/** What a token will be, before it is made. */
export interface MintPlan {
  readonly kid: string;
  readonly expiresAt: Instant;
}

export interface FreshToken extends MintPlan {
  /** The only copy: it is kept nowhere. */
  readonly token: string;
  readonly jti: string;
}

export interface MintDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly expected: ClaimsExpected;
  readonly keyRing: KeyRing;
}

/**
 * Makes a token and books it. It is booked before it is handed out, so every token of ours can be listed.
 *
 * @throws AppError `bad_input`, `misconfigured` when there is no key to sign with, or the database's.
 */
export async function mintToken(deps: MintDeps, command: MintCommand): Promise<FreshToken> {
  const { key, issuedAtSeconds, expiresAtSeconds } = await prepare(deps, command);
  const jti = newId();
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: key.alg, typ: 'JWT', kid: key.kid })
    .setIssuer(deps.expected.issuer)
    .setAudience(deps.expected.audience)
    .setSubject(command.subject)
    .setJti(jti)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(expiresAtSeconds)
    .sign(key.material);
  assert(token.length <= TOKEN_BYTES_MAX, 'we made a token that is too long for our own verifier');

  const booked = {
    jti,
    subject: command.subject,
    kid: key.kid,
    alg: key.alg,
    issuedAt: issuedAtSeconds * 1_000,
    expiresAt: expiresAtSeconds * 1_000,
    recordedBy: command.actor.name,
  };
  await deps.database.transact((session) => openServiceTokenStore(session).recordMinted(booked));
  deps.logger.info('service token minted', { event: 'service_tokens.minted', ...booked });
  return { token, jti, kid: key.kid, expiresAt: booked.expiresAt };
}

/** Says what mintToken would make, and fails as it would, without making anything that could be used. */
export async function planMint(deps: MintDeps, command: MintCommand): Promise<MintPlan> {
  const { key, expiresAtSeconds } = await prepare(deps, command);
  return { kid: key.kid, expiresAt: expiresAtSeconds * 1_000 };
}

async function prepare(
  { clock, keyRing }: MintDeps,
  { subject, ttlSeconds, actor }: MintCommand,
): Promise<{ key: SigningKey; issuedAtSeconds: number; expiresAtSeconds: number }> {
  requireScope(actor, 'tokens:manage');
  const subjectFault = outsideIdFault(subject);
  if (subjectFault !== undefined) throw new AppError('bad_input', `the subject ${subjectFault}`);
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > LIFETIME_MAX_SECONDS) {
    throw new AppError('bad_input', 'a token must live for at least a second and at most 400 days');
  }
  const { signing } = await keyRing.current();
  if (signing === undefined) {
    throw new AppError(
      'misconfigured',
      'there is no key to sign with: SERVICE_JWT_KEYS_FILE has no active key, and SERVICE_JWT_SECRET only verifies',
    );
  }
  const issuedAtSeconds = Math.floor(clock.now() / 1_000);
  return { key: signing, issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + ttlSeconds };
}
