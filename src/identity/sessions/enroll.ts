import { AppError } from '../../kernel';
import { openAuditTrail } from '../audit-store';
import { openSessions } from '../users/session-store';
import { openUsers } from '../users/user-store';
import { countTry, forgetFailures, type Refused, type SessionDeps, sessionKeys, type Wait } from './guesses';
import { type Enrollment, freshEnrollment, stepOfCode } from './second-factor';
import { rememberDevice, type SignedIn } from './sign-in';
import { PROOF_LIFETIME_MS, startSession, type UserSession } from './user-session';

/**
 * Returns a new secret for the authenticator app of a session's user. It replaces the present one when the user confirms
 * a code of it. A user who has a second factor proves it with a code of the present secret: a stolen session and a
 * password do not replace it.
 *
 * @throws AppError `proof_needed` when the password was given more than ten minutes ago.
 */
export async function beginEnrollment(
  { database, clock }: SessionDeps,
  of: UserSession,
  presentCode = '',
): Promise<Enrollment | Refused | Wait> {
  const now = clock.now();
  if (now - of.provedAt >= PROOF_LIFETIME_MS) throw new AppError('proof_needed', {});
  const enrollment = await freshEnrollment(of.user.name);
  return database.transact(async (session) => {
    const users = openUsers(session);
    const user = await users.hold(of.user.name);
    if (user?.totpSecret !== undefined) {
      const retryAfterMs = await countTry(session, sessionKeys(of.id), now);
      if (retryAfterMs > 0) return { outcome: 'wait', retryAfterMs };
      const step = await stepOfCode(presentCode, { secret: user.totpSecret, lastStep: user.totpStep, now });
      if (step === undefined) return { outcome: 'refused' };
      await users.change(user.userId, { totpStep: step });
      await forgetFailures(session, sessionKeys(of.id), now);
    }
    await openSessions(session).change(of.id, { enrollingSecret: enrollment.secret });
    return enrollment;
  });
}

/**
 * Enrolls the second factor of a session's user with a code of the new secret. Ends all sessions of the user and starts
 * one.
 */
export async function confirmEnrollment(
  { database, clock }: SessionDeps,
  of: UserSession,
  code: string,
): Promise<({ readonly outcome: 'enrolled' } & SignedIn) | { readonly outcome: 'refused' }> {
  return database.transact(async (session) => {
    const at = clock.now();
    const users = openUsers(session);
    const sessions = openSessions(session);
    const user = await users.hold(of.user.name);
    const row = await sessions.findById(of.id, at);
    const secret = row?.enrollingSecret;
    if (user === undefined || row === undefined || secret === undefined) return { outcome: 'refused' };
    const step = await stepOfCode(code, { secret, lastStep: undefined, now: at });
    if (step === undefined) return { outcome: 'refused' };
    const factor = { totpSecret: secret, totpStep: step };
    await users.change(user.userId, factor);
    await sessions.removeOf(user.userId);
    const { address } = row;
    const started = await startSession(session, { ...user, ...factor }, { address, at });
    const { actor } = started.session;
    const entry = { at, actor, subject: `user:${user.name}`, detail: { address } };
    await openAuditTrail(session).record({ ...entry, action: 'user.second_factor_enrolled' });
    const deviceToken = await rememberDevice(session, user, { device: undefined, deviceToken: undefined, at });
    return { outcome: 'enrolled', ...started, deviceToken };
  });
}
