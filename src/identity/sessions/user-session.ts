import { createHmac, randomBytes } from 'node:crypto';
import type { Session } from '../../db';
import { HOUR_MS, type Instant, MINUTE_MS, newId, sha256Hex } from '../../kernel';
import type { Actor } from '../actor';
import { needsSecondFactor, type Role, scopesOfRoles } from '../users/role';
import { openSessions, SESSION_IDLE_MS, type SessionRow } from '../users/session-store';
import type { Language } from '../users/user';
import type { UserRow } from '../users/user-store';

/** A session ends so long after the sign-in, however much it is used. */
const SESSION_LIFETIME_MS = 12 * HOUR_MS;
/** An action that asks for a fresh proof accepts a password that was given so long ago. */
export const PROOF_LIFETIME_MS = 10 * MINUTE_MS;

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export type UserActor = Extract<Actor, { readonly kind: 'user' }>;

/** The session of a user in a browser. */
export interface UserSession {
  readonly id: string;
  readonly user: {
    readonly userId: string;
    readonly name: string;
    readonly fullName: string;
    readonly language: Language | undefined;
    readonly roles: readonly Role[];
    readonly hasSecondFactor: boolean;
  };
  readonly actor: UserActor;
  /** `must_enroll`: the roles need a second factor, and the session has no scopes until the user enrolled one. */
  readonly state: 'full' | 'must_enroll';
  /** Each form of the session contains it, and each request that changes something must repeat it. */
  readonly csrfToken: string;
  /** When the password was last given. */
  readonly provedAt: Instant;
  readonly startedAt: Instant;
  /** When the session ends without use. */
  readonly idleUntil: Instant;
  /** When the session ends in any case. */
  readonly expiresAt: Instant;
}

/** A new session with the only copy of its token. */
export interface StartedSession {
  readonly token: string;
  readonly session: UserSession;
}

/** Returns a secret of 256 random bits, as a browser stores it. */
export function freshToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the stored digest of a token; undefined if the text is not a token. */
export function tokenDigest(text: string): string | undefined {
  return TOKEN.test(text) ? sha256Hex(text) : undefined;
}

/** Starts a session of a user whose identity was proved now. */
export async function startSession(
  session: Session,
  user: UserRow,
  { address, at }: { readonly address: string; readonly at: Instant },
): Promise<StartedSession> {
  const token = freshToken();
  const row: SessionRow = {
    id: newId(),
    tokenDigest: sha256Hex(token),
    userId: user.userId,
    address,
    startedAt: at,
    provedAt: at,
    usedAt: at,
    expiresAt: at + SESSION_LIFETIME_MS,
    enrollingSecret: undefined,
  };
  await openSessions(session).add(row);
  return { token, session: userSession(token, row, user) };
}

/** Returns a stored session with the present roles of its user. */
export function userSession(token: string, row: SessionRow, user: UserRow): UserSession {
  const { id, provedAt, startedAt, usedAt, expiresAt } = row;
  const { userId, name, fullName, language, roles, totpSecret } = user;
  const hasSecondFactor = totpSecret !== undefined;
  const mustEnroll = needsSecondFactor(roles) && !hasSecondFactor;
  const scopes = mustEnroll ? new Set<never>() : scopesOfRoles(roles);
  return {
    id,
    user: { userId, name, fullName, language, roles, hasSecondFactor },
    actor: { kind: 'user', name, userId, scopes },
    state: mustEnroll ? 'must_enroll' : 'full',
    csrfToken: createHmac('sha256', token).update('csrf').digest('base64url'),
    ...{ provedAt, startedAt, idleUntil: Math.min(usedAt + SESSION_IDLE_MS, expiresAt), expiresAt },
  };
}
