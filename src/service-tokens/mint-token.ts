import { SignJWT } from 'jose';
import type { Database } from '../db';
import { openAuditTrail, requireScope, type Actor } from '../identity';
import { AppError, assert, formatInstant, newId, outsideIdFault, type Clock, type Instant } from '../kernel';
import type { Logger } from '../logging';
import type { ClaimsExpected } from './claims';
import type { KeyRing } from './key-ring';
import type { KeyAlgorithm } from './key-set';
import { LIFETIME_MAX_SECONDS, TOKEN_BYTES_MAX } from './limits';
import { openServiceTokenStore } from './service-token-store';

export interface MintCommand {
  /** Whom the token is for; the gateway is `gateway`. */
  readonly subject: string;
  readonly ttlSeconds: number;
  /** The algorithm to sign with; the first active key signs when it is not given. */
  readonly alg?: KeyAlgorithm | undefined;
  readonly actor: Actor;
}

/** What a token will be, before it is made. */
export interface MintPlan {
  /** Undefined when the key file and its first key would be made, too. */
  readonly kid: string | undefined;
  readonly alg: KeyAlgorithm;
  readonly expiresAt: Instant;
}

export interface FreshToken extends MintPlan {
  /** The only copy: it is kept nowhere. */
  readonly token: string;
  readonly jti: string;
  readonly kid: string;
}

export interface MintDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly expected: ClaimsExpected;
  readonly keyRing: KeyRing;
}

/**
 * Mints a token and records it first, so that every minted token is listed.
 *
 * @throws AppError `bad_input`, `misconfigured` when there is no key to sign with, or the database's.
 */
export async function mintToken(deps: MintDeps, command: MintCommand): Promise<FreshToken> {
  const { issuedAtSeconds, expiresAtSeconds } = prepare(deps, command);
  // The file as it is now: a key that was rotated out a moment ago must not sign once more.
  const key = signingKey((await deps.keyRing.refresh()).signing, command.alg);
  const jti = newId();
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: key.alg, typ: 'JWT', kid: key.kid })
    .setIssuer(deps.expected.issuer)
    .setAudience(deps.expected.audience)
    .setSubject(command.subject)
    .setJti(jti)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(expiresAtSeconds)
    .sign(key.signs);
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
  await deps.database.transact(async (session) => {
    await openServiceTokenStore(session).recordMinted(booked);
    await openAuditTrail(session).record({
      at: deps.clock.now(),
      actor: command.actor,
      action: 'token.minted',
      subject: `token:${jti}`,
      detail: { subject: command.subject, kid: key.kid, alg: key.alg, expiresAt: formatInstant(booked.expiresAt) },
    });
  });
  deps.logger.info('service token minted', { event: 'service_tokens.minted', ...booked });
  return { token, jti, kid: key.kid, alg: key.alg, expiresAt: booked.expiresAt };
}

/** Says what mintToken would make, and fails as it would, without making anything that could be used. */
export async function planMint(deps: MintDeps, command: MintCommand): Promise<MintPlan> {
  const { expiresAtSeconds } = prepare(deps, command);
  const wouldMakeFile = await deps.keyRing.wouldMakeFile();
  const signing: readonly Pick<MintPlan, 'kid' | 'alg'>[] = wouldMakeFile
    ? [FIRST_KEY]
    : (await deps.keyRing.refresh()).signing;
  const { kid, alg } = signingKey(signing, command.alg);
  return { kid, alg, expiresAt: expiresAtSeconds * 1_000 };
}

/** What a key file that is made at first use holds. */
const FIRST_KEY = { kid: undefined, alg: 'HS256' } as const;

function prepare(
  { clock }: MintDeps,
  { subject, ttlSeconds, actor }: MintCommand,
): { issuedAtSeconds: number; expiresAtSeconds: number } {
  requireScope(actor, 'tokens:manage');
  const subjectFault = outsideIdFault(subject);
  if (subjectFault !== undefined) throw new AppError('bad_input', `the subject ${subjectFault}`);
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > LIFETIME_MAX_SECONDS) {
    throw new AppError('bad_input', 'a token must live for at least a second and at most 400 days');
  }
  const issuedAtSeconds = Math.floor(clock.now() / 1_000);
  return { issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + ttlSeconds };
}

function signingKey<Key extends Pick<MintPlan, 'kid' | 'alg'>>(
  active: readonly Key[],
  alg: KeyAlgorithm | undefined,
): Key {
  const [first] = active;
  if (first === undefined) {
    throw new AppError(
      'misconfigured',
      'there is no key to sign with: SERVICE_JWT_KEYS_FILE has no active key; make one with "millime token rotate"',
    );
  }
  const key = alg === undefined ? first : active.find((candidate) => candidate.alg === alg);
  if (key === undefined) {
    throw new AppError('bad_input', `no active key is for ${alg}: make one with "millime token rotate --alg ${alg}"`);
  }
  return key;
}
