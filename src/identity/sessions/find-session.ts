import { AppError, type Instant } from '../../kernel';
import { type Actor, isPerson, requireScope } from '../actor';
import { openAuditTrail } from '../audit-store';
import type { IdentityDeps } from '../identity-deps';
import { checkReason } from '../reason';
import { isUseStale, openSessions } from '../users/session-store';
import { openUsers } from '../users/user-store';
import { tokenDigest, type UserSession, userSession } from './user-session';

/** A session as its user sees it in a list. */
export interface ListedSession {
  readonly id: string;
  readonly address: string;
  readonly startedAt: Instant;
  /** The last use, to the minute. */
  readonly usedAt: Instant;
  readonly expiresAt: Instant;
}

/**
 * Returns the session of a token with the present roles of its user; undefined if it ended for any reason. Counts as a
 * use of the session.
 *
 * @throws AppError `unavailable` when the database cannot answer.
 */
export async function sessionOf({ database, clock }: IdentityDeps, token: string): Promise<UserSession | undefined> {
  const digest = tokenDigest(token);
  if (digest === undefined) return undefined;
  const now = clock.now();
  const found = await database.read(async (session) => {
    const row = await openSessions(session).find(digest, now);
    const user = row === undefined ? undefined : await openUsers(session).find(row.userName);
    return row === undefined || user === undefined || user.disabledAt !== undefined ? undefined : { row, user };
  });
  if (found === undefined) return undefined;
  const { row, user } = found;
  if (!isUseStale(row, now)) return userSession(token, row, user);
  await database.transact((session) => openSessions(session).touch(row.id, now));
  return userSession(token, { ...row, usedAt: now }, user);
}

/** Ends a session at the wish of its user. A repeat changes nothing. */
export async function endSession(deps: IdentityDeps, token: string): Promise<void> {
  const { database, clock } = deps;
  const of = await sessionOf(deps, token);
  if (of === undefined) return;
  await database.transact(async (session) => {
    if (!(await openSessions(session).remove(of.id))) return;
    const { actor } = of;
    const entry = { at: clock.now(), actor, subject: `user:${actor.name}`, detail: { session: of.id } };
    await openAuditTrail(session).record({ ...entry, action: 'user.signed_out' });
  });
}

/** Who ends all sessions of a user: the user, or an actor who manages users. */
export interface EndSessionsCommand {
  readonly name: string;
  readonly actor: Actor;
  /** Required about another user. */
  readonly reason?: string | undefined;
  /** Does everything except store it. */
  readonly dryRun: boolean;
}

/**
 * Ends all sessions of a user. Returns their number.
 *
 * @throws AppError `forbidden` for the sessions of another user without the scope; `bad_input`, `not_found`.
 */
export async function endSessions(
  { database, clock }: IdentityDeps,
  { name, actor, reason, dryRun }: EndSessionsCommand,
): Promise<number> {
  const isOwn = isPerson(actor) && actor.name === name;
  if (!isOwn) requireScope(actor, 'users:manage');
  if (!isOwn || reason !== undefined) checkReason(reason ?? '');
  const said = reason === undefined ? {} : { reason };
  return database.transact(
    async (session) => {
      const user = await openUsers(session).hold(name);
      if (user === undefined) throw new AppError('not_found', { thing: 'user', id: name });
      const sessions = await openSessions(session).removeOf(user.userId);
      if (sessions === 0) return 0;
      const entry = { at: clock.now(), actor, subject: `user:${name}`, detail: { sessions, ...said } };
      await openAuditTrail(session).record({ ...entry, action: 'user.sessions_ended' });
      return sessions;
    },
    { dryRun },
  );
}

/** Returns the sessions of a user that have not ended, newest first. @throws AppError `not_found`. */
export async function sessionsOf({ database, clock }: IdentityDeps, name: string): Promise<ListedSession[]> {
  const rows = await database.read(async (session) => {
    const user = await openUsers(session).find(name);
    if (user === undefined) throw new AppError('not_found', { thing: 'user', id: name });
    return openSessions(session).listOf(user.userId, clock.now());
  });
  return rows.map(({ id, address, startedAt, usedAt, expiresAt }) => ({ id, address, startedAt, usedAt, expiresAt }));
}
