import type { Session } from '../../db';
import type { Instant } from '../../kernel';
import { jobActor } from '../actor';
import { isActorName } from '../actor-name';
import { openAuditTrail } from '../audit-store';
import { openUsers, type UserRow } from '../users/user-store';
import { openDevices } from './device-store';
import {
  countTry,
  forgetFailures,
  recordFailure,
  type SessionDeps,
  type TryKeys,
  tryKeys,
  verifyCounted,
  type Wait,
} from './guesses';
import { stepOfCode } from './second-factor';
import { openTries } from './try-store';
import { freshToken, type StartedSession, startSession, tokenDigest } from './user-session';

export interface SignInCommand {
  readonly name: string;
  readonly password: string;
  /** The six digits of an authenticator app. */
  readonly secondFactor?: string | undefined;
  /** The address or network under which tries are counted, as `clientAddress` returns it. */
  readonly address: string;
  /** What an earlier sign-in returned to the same browser. */
  readonly deviceToken?: string | undefined;
}

/** A session, and what the browser stores for its next sign-in. */
export interface SignedIn extends StartedSession {
  readonly deviceToken: string;
}

export type SignInOutcome =
  | ({ readonly outcome: 'signed_in' } & SignedIn)
  /** The password is right. The session has no scopes until its user enrolled a second factor. */
  | ({ readonly outcome: 'must_enroll' } & StartedSession)
  /** The password is right; the same call with the code of the app signs in. */
  | { readonly outcome: 'second_factor_needed' }
  /** Unknown name, wrong password, disabled user, wrong or used code: one answer. */
  | { readonly outcome: 'refused' }
  | Wait;

/** The name under which failures are recorded: their author is unknown. */
export const SIGN_IN_ACTOR = jobActor('sign-in');

/**
 * Signs a user in and starts a session.
 *
 * @throws AppError `passwords_busy` when too many passwords are computed.
 */
export async function signIn(deps: SessionDeps, command: SignInCommand): Promise<SignInOutcome> {
  const name = typedName(command.name);
  const begun = await deps.database.transact(async (session) => {
    const user = isActorName(name) ? await openUsers(session).find(name) : undefined;
    const device = await knownDevice(session, command.deviceToken, user);
    const keys = tryKeys(name, command.address, device);
    return { user, device, keys, waitMs: await countTry(session, keys, deps.clock.now()) };
  });
  if (begun.waitMs > 0) return { outcome: 'wait', retryAfterMs: begun.waitMs };
  const { user, keys } = begun;
  const stored = user?.passwordHash;
  const isRight = await verifyCounted(deps, keys, { password: command.password, stored });
  return deps.database.transact((session) =>
    conclude(session, { ...begun, ...command, isRight, at: deps.clock.now() }),
  );
}

/** Returns a name as users have it: keyboards of phones begin with a capital letter. */
export function typedName(text: string): string {
  return text.trim().toLowerCase();
}

/** Returns the digest of a browser's token if the user signed in with it before. */
async function knownDevice(
  session: Session,
  token: string | undefined,
  user: UserRow | undefined,
): Promise<string | undefined> {
  const digest = token === undefined ? undefined : tokenDigest(token);
  if (digest === undefined || user === undefined) return undefined;
  return (await openDevices(session).isOf(digest, user.userId)) ? digest : undefined;
}

interface Checked extends Pick<SignInCommand, 'secondFactor' | 'deviceToken'> {
  readonly user: UserRow | undefined;
  readonly device: string | undefined;
  readonly keys: TryKeys;
  readonly address: string;
  readonly isRight: boolean;
  readonly at: Instant;
}

async function conclude(session: Session, checked: Checked): Promise<SignInOutcome> {
  const { keys, address, secondFactor, at } = checked;
  const users = openUsers(session);
  // The user may have changed while the password was computed.
  const user = checked.user === undefined ? undefined : await users.hold(checked.user.name);
  const isCurrent = checked.isRight && user?.passwordHash === checked.user?.passwordHash;
  if (user === undefined || user.disabledAt !== undefined || !isCurrent) {
    return refuse(session, checked, user, user?.disabledAt === undefined ? 'password' : 'disabled');
  }
  if (user.totpSecret !== undefined) {
    if (secondFactor === undefined || secondFactor.trim() === '') {
      await openTries(session).takeBack(keys.own);
      return { outcome: 'second_factor_needed' };
    }
    const { totpSecret: secret, totpStep: lastStep } = user;
    const step = await stepOfCode(secondFactor, { secret, lastStep, now: at });
    if (step === undefined) return refuse(session, checked, user, 'second_factor');
    await users.change(user.userId, { totpStep: step });
  }
  await forgetFailures(session, keys, at);
  const started = await startSession(session, user, { address, at });
  const { actor, state } = started.session;
  const detail = { address, session: started.session.id };
  const subject = `user:${user.name}`;
  await openAuditTrail(session).record({ at, actor, action: 'user.signed_in', subject, detail });
  if (state === 'must_enroll') return { outcome: 'must_enroll', ...started };
  return { outcome: 'signed_in', ...started, deviceToken: await rememberDevice(session, user, checked) };
}

async function refuse(
  session: Session,
  { keys, address, at }: Checked,
  user: UserRow | undefined,
  why: 'password' | 'disabled' | 'second_factor',
): Promise<SignInOutcome> {
  const detail = user === undefined ? { address } : { address, why };
  const failure = { actor: SIGN_IN_ACTOR, action: 'user.sign_in_failed', userName: user?.name, detail } as const;
  await recordFailure(session, keys, failure, at);
  return { outcome: 'refused' };
}

/** Returns the token of a browser that is known from now on. */
export async function rememberDevice(
  session: Session,
  { userId }: UserRow,
  { device, deviceToken, at }: Pick<Checked, 'device' | 'deviceToken' | 'at'>,
): Promise<string> {
  const devices = openDevices(session);
  if (device !== undefined && deviceToken !== undefined) {
    await devices.touch(device, at);
    return deviceToken;
  }
  const token = freshToken();
  await devices.add(tokenDigest(token) ?? '', userId, at);
  return token;
}
