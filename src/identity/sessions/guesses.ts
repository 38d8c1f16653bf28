import type { Session } from '../../db';
import { fingerprintOf, type Instant } from '../../kernel';
import type { Actor } from '../actor';
import { type AuditDetail, openAuditTrail } from '../audit-store';
import type { IdentityDeps } from '../identity-deps';
import type { PasswordHasher } from '../users/password-hash';
import { countOfAddress, waitAfterFailures, waitOfAddress } from './slow-down';
import { openTries } from './try-store';

export interface SessionDeps extends IdentityDeps {
  readonly passwords: PasswordHasher;
}

export interface Refused {
  readonly outcome: 'refused';
}

/** A try that must wait. */
export interface Wait {
  readonly outcome: 'wait';
  readonly retryAfterMs: number;
}

/** Where a try is counted. */
export interface TryKeys {
  /** Its failures: of a name from an address, of a known browser, or of a session. */
  readonly own: string;
  /** All tries of an address; undefined for a known browser or a session. */
  readonly address: string | undefined;
}

/** Returns the keys of a try from an address. A browser from which the user signed in before is counted apart. */
export function tryKeys(name: string, address: string, deviceDigest: string | undefined): TryKeys {
  if (deviceDigest !== undefined) return { own: fingerprintOf('device', deviceDigest), address: undefined };
  return { own: fingerprintOf('name', name, address), address: fingerprintOf('address', address) };
}

/** Returns the keys of a try inside a session. */
export function sessionKeys(sessionId: string): TryKeys {
  return { own: fingerprintOf('session', sessionId), address: undefined };
}

/**
 * Counts a try before its check, as if it failed, so that concurrent guesses are counted as well. Returns how long it must
 * wait instead; 0 if it may go on.
 */
export async function countTry(session: Session, { own, address }: TryKeys, now: Instant): Promise<number> {
  const tries = openTries(session);
  const ownTries = await tries.hold(own, now);
  const addressTries = address === undefined ? undefined : await tries.hold(address, now);
  const waitMs = Math.max(
    waitAfterFailures(ownTries, now),
    addressTries === undefined ? 0 : waitOfAddress(addressTries, now),
  );
  if (waitMs > 0) return waitMs;
  await tries.write(own, { tries: ownTries.tries + 1, countedAt: now });
  if (address !== undefined && addressTries !== undefined) {
    await tries.write(address, countOfAddress(addressTries, now));
  }
  return 0;
}

/** Forgets the failures before a success. */
export async function forgetFailures(session: Session, { own }: TryKeys, now: Instant): Promise<void> {
  await openTries(session).write(own, { tries: 0, countedAt: now });
}

/** Takes a try back that showed nothing about the password. */
export async function takeBack({ database }: SessionDeps, { own }: TryKeys): Promise<void> {
  await database.transact((session) => openTries(session).takeBack(own));
}

/** Verifies a password. If too many are computed, the try is taken back. */
export async function verifyCounted(
  deps: SessionDeps,
  keys: TryKeys,
  given: { readonly password: string; readonly stored: string | undefined },
): Promise<boolean> {
  try {
    return await deps.passwords.verify(given.password, given.stored);
  } catch (error) {
    await takeBack(deps, keys);
    throw error;
  }
}

export interface Failure {
  readonly actor: Actor;
  readonly action: 'user.sign_in_failed' | 'user.proof_failed';
  /** Undefined: no user has the typed name, which is not stored. */
  readonly userName: string | undefined;
  readonly detail: AuditDetail;
}

/** Records a failure, at most one of a user and an address in a minute. Unknown names of an address count together. */
export async function recordFailure(
  session: Session,
  { own, address }: TryKeys,
  { actor, action, userName, detail }: Failure,
  at: Instant,
): Promise<void> {
  const key = userName === undefined ? (address ?? own) : own;
  if (!(await openTries(session).claimRecord(key, at))) return;
  const subject = userName === undefined ? 'users' : `user:${userName}`;
  await openAuditTrail(session).record({ at, actor, action, subject, detail });
}
