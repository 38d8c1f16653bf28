import { SignJWT } from 'jose';
import { type Actor, openAuditTrail, requireScope } from '../identity';
import { AppError, assert, formatInstant, type Instant, newId, outsideIdFault, SECOND_MS } from '../kernel';
import type { KeyAlgorithm } from './key-set';
import { LIFETIME_MAX_SECONDS, TOKEN_BYTES_MAX } from './limits';
import { openServiceTokenStore } from './service-token-store';
import type { TokenDeps } from './token-deps';

export interface MintCommand {
  /** The program that uses the token; the gateway is `gateway`. */
  readonly subject: string;
  readonly ttlSeconds: number;
  /** The algorithm to sign with (default: that of the first active key). */
  readonly alg?: KeyAlgorithm | undefined;
  readonly actor: Actor;
}

/** The properties of a token before it is minted. */
export interface MintPlan {
  /** Undefined if minting would also create the key file and its first key. */
  readonly kid: string | undefined;
  readonly alg: KeyAlgorithm;
  readonly expiresAt: Instant;
}

export interface FreshToken extends MintPlan {
  /** The only copy: Millime does not store it. */
  readonly token: string;
  readonly jti: string;
  readonly kid: string;
}

type MintDeps = Pick<TokenDeps, 'database' | 'clock' | 'logger' | 'expected' | 'keyRing'>;

/**
 * Mints a token. Records it first, so that every minted token is listed.
 *
 * @throws AppError `bad_input`, `misconfigured` when no key can sign, or a fault of the database.
 */
export async function mintToken(deps: MintDeps, command: MintCommand): Promise<FreshToken> {
  const { issuedAtSeconds, expiresAtSeconds } = prepare(deps, command);
  // Reads the file again, because a key that was just rotated out must not sign.
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
  assert(token.length <= TOKEN_BYTES_MAX, 'a minted token is short enough for the verifier');

  const minted = {
    jti,
    subject: command.subject,
    kid: key.kid,
    alg: key.alg,
    issuedAt: issuedAtSeconds * SECOND_MS,
    expiresAt: expiresAtSeconds * SECOND_MS,
    recordedBy: command.actor.name,
  };
  await deps.database.transact(async (session) => {
    await openServiceTokenStore(session).recordMinted(minted);
    await openAuditTrail(session).record({
      at: deps.clock.now(),
      actor: command.actor,
      action: 'token.minted',
      subject: `token:${jti}`,
      detail: { subject: command.subject, kid: key.kid, alg: key.alg, expiresAt: formatInstant(minted.expiresAt) },
    });
  });
  deps.logger.info('service token minted', { event: 'service_tokens.minted', ...minted });
  return { token, jti, kid: key.kid, alg: key.alg, expiresAt: minted.expiresAt };
}

/** Returns the token that mintToken would mint, with the same errors, and creates nothing usable. */
export async function planMint(deps: MintDeps, command: MintCommand): Promise<MintPlan> {
  const { expiresAtSeconds } = prepare(deps, command);
  const wouldMakeFile = await deps.keyRing.wouldMakeFile();
  const signing: readonly Pick<MintPlan, 'kid' | 'alg'>[] = wouldMakeFile
    ? [FIRST_KEY]
    : (await deps.keyRing.refresh()).signing;
  const { kid, alg } = signingKey(signing, command.alg);
  return { kid, alg, expiresAt: expiresAtSeconds * SECOND_MS };
}

/** The key of a key file that the first use creates. */
const FIRST_KEY = { kid: undefined, alg: 'HS256' } as const;

function prepare(
  { clock }: MintDeps,
  { subject, ttlSeconds, actor }: MintCommand,
): { issuedAtSeconds: number; expiresAtSeconds: number } {
  requireScope(actor, 'tokens:manage');
  const subjectFault = outsideIdFault(subject);
  if (subjectFault !== undefined) throw new AppError('bad_input', { field: 'subject', fault: subjectFault });
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > LIFETIME_MAX_SECONDS) {
    throw new AppError('bad_input', { field: 'ttlSeconds', expected: 'at least a second and at most 400 days' });
  }
  const issuedAtSeconds = Math.floor(clock.now() / SECOND_MS);
  return { issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + ttlSeconds };
}

function signingKey<Key extends Pick<MintPlan, 'kid' | 'alg'>>(
  active: readonly Key[],
  alg: KeyAlgorithm | undefined,
): Key {
  const [first] = active;
  if (first === undefined) {
    throw new AppError('signing_off', {
      variables: 'SERVICE_JWT_KEYS_FILE',
      command: 'run "millime token rotate"',
    });
  }
  const key = alg === undefined ? first : active.find((candidate) => candidate.alg === alg);
  if (key === undefined) {
    throw new AppError('bad_input', {
      field: 'alg',
      expected: 'the algorithm of an active key',
      got: alg ?? '',
      command: `run "millime token rotate --alg ${alg}"`,
    });
  }
  return key;
}
