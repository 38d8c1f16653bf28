import { AppError, type Instant } from '../../kernel';
import { isActorName } from '../actor-name';
import { openAuditTrail } from '../audit-store';
import { codeDigest, isSameDigest } from '../users/one-time-code';
import { checkNewPassword } from '../users/password-rule';
import { openSessions } from '../users/session-store';
import { openUsers, type UserRow } from '../users/user-store';
import {
  countTry,
  forgetFailures,
  recordFailure,
  type Refused,
  type SessionDeps,
  sessionKeys,
  takeBack,
  tryKeys,
  verifyCounted,
  type Wait,
} from './guesses';
import { SIGN_IN_ACTOR, typedName } from './sign-in';
import { type StartedSession, startSession, type UserActor, type UserSession } from './user-session';

export interface FirstPasswordCommand {
  readonly name: string;
  /** The one-time code. */
  readonly code: string;
  readonly password: string;
  readonly address: string;
}

/**
 * Sets the password of a user who has a one-time code, uses the code up, and ends all sessions of the user.
 *
 * @throws AppError `bad_input` for a password that is too short or too well known; `passwords_busy`.
 */
export async function setFirstPassword(
  deps: SessionDeps,
  { code, password, address, ...command }: FirstPasswordCommand,
): Promise<{ readonly outcome: 'set' } | Refused | Wait> {
  const { database, clock, passwords } = deps;
  const name = typedName(command.name);
  const keys = tryKeys(name, address, undefined);
  const digest = codeDigest(code);
  const { user, waitMs } = await database.transact(async (session) => {
    const at = clock.now();
    const found = isActorName(name) ? await openUsers(session).find(name) : undefined;
    const wait = await countTry(session, keys, at);
    if (wait > 0) return { user: undefined, waitMs: wait };
    if (found !== undefined && hasCode(found, digest, at)) return { user: found, waitMs: 0 };
    const detail = { address, ...(found === undefined ? {} : { why: 'code' }) };
    const failure = { actor: SIGN_IN_ACTOR, action: 'user.sign_in_failed', userName: found?.name, detail } as const;
    await recordFailure(session, keys, failure, at);
    return { user: undefined, waitMs: 0 };
  });
  if (waitMs > 0) return { outcome: 'wait', retryAfterMs: waitMs };
  if (user === undefined) return { outcome: 'refused' };
  const passwordHash = await orTakeBack(deps, keys, () => {
    checkNewPassword(password, [user.name, user.fullName]);
    return passwords.hash(password);
  });
  return database.transact(async (session) => {
    const at = clock.now();
    const held = await openUsers(session).hold(name);
    // Another request may have used the code meanwhile.
    if (held === undefined || !hasCode(held, digest, at)) return { outcome: 'refused' };
    await openUsers(session).change(held.userId, { passwordHash, codeDigest: undefined, codeExpiresAt: undefined });
    await forgetFailures(session, keys, at);
    await openSessions(session).removeOf(held.userId);
    const actor: UserActor = { kind: 'user', name, userId: held.userId, scopes: new Set() };
    const entry = { at, actor, subject: `user:${name}`, detail: { address } };
    await openAuditTrail(session).record({ ...entry, action: 'user.password_set' });
    return { outcome: 'set' };
  });
}

function hasCode(user: UserRow, digest: string, now: Instant): boolean {
  const { codeDigest: stored, codeExpiresAt = 0, disabledAt } = user;
  return disabledAt === undefined && stored !== undefined && now < codeExpiresAt && isSameDigest(stored, digest);
}

async function orTakeBack<T>(deps: SessionDeps, keys: ReturnType<typeof tryKeys>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await takeBack(deps, keys);
    throw error;
  }
}

/** Proves again that the user of a session is present. */
export async function proveAgain(
  deps: SessionDeps,
  of: UserSession,
  password: string,
): Promise<{ readonly outcome: 'proved'; readonly provedAt: Instant } | Refused | Wait> {
  const checked = await checkOwn(deps, of, password);
  if (checked.outcome !== 'right') return checked;
  return deps.database.transact(async (session) => {
    const at = deps.clock.now();
    await forgetFailures(session, sessionKeys(of.id), at);
    await openSessions(session).change(of.id, { provedAt: at });
    return { outcome: 'proved', provedAt: at };
  });
}

/**
 * Replaces the password of a session's user. Ends all sessions of the user and starts one.
 *
 * @throws AppError `bad_input` for a password that is too short or too well known; `passwords_busy`.
 */
export async function changePassword(
  deps: SessionDeps,
  of: UserSession,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Promise<({ readonly outcome: 'changed' } & StartedSession) | Refused | Wait> {
  const { user } = of;
  checkNewPassword(newPassword, [user.name, user.fullName]);
  if (newPassword === oldPassword) {
    throw new AppError('bad_input', { field: 'password', fault: 'is the present one', fix: 'choose another one' });
  }
  const checked = await checkOwn(deps, of, oldPassword);
  if (checked.outcome !== 'right') return checked;
  const passwordHash = await deps.passwords.hash(newPassword);
  return deps.database.transact(async (session) => {
    const at = deps.clock.now();
    const held = await openUsers(session).hold(user.name);
    const row = await openSessions(session).findById(of.id, at);
    if (held === undefined || row === undefined || held.passwordHash !== checked.hash) return { outcome: 'refused' };
    await openUsers(session).change(held.userId, { passwordHash });
    await openSessions(session).removeOf(held.userId);
    const entry = { at, actor: of.actor, subject: `user:${user.name}`, detail: { address: row.address } };
    await openAuditTrail(session).record({ ...entry, action: 'user.password_changed' });
    return { outcome: 'changed', ...(await startSession(session, held, { address: row.address, at })) };
  });
}

type Checked = { readonly outcome: 'right'; readonly hash: string } | Refused | Wait;

async function checkOwn(deps: SessionDeps, { id, user, actor }: UserSession, password: string): Promise<Checked> {
  const { database, clock } = deps;
  const keys = sessionKeys(id);
  const { stored, waitMs } = await database.transact(async (session) => ({
    stored: (await openUsers(session).find(user.name))?.passwordHash,
    waitMs: await countTry(session, keys, clock.now()),
  }));
  if (waitMs > 0) return { outcome: 'wait', retryAfterMs: waitMs };
  const isRight = await verifyCounted(deps, keys, { password, stored });
  if (isRight && stored !== undefined) return { outcome: 'right', hash: stored };
  const failure = { actor, action: 'user.proof_failed', userName: user.name, detail: { session: id } } as const;
  await database.transact((session) => recordFailure(session, keys, failure, clock.now()));
  return { outcome: 'refused' };
}
