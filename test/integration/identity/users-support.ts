import { TOTP } from 'otpauth';
import {
  createIdentity,
  type Identity,
  OPERATOR,
  type Role,
  type SignInOutcome,
  type UserSession,
} from '../../../src/identity';
import type { Harness } from '../../support/db';
import { type FixedClock, recordingLogger } from '../../support/fakes';

/** Passwords cost nothing in tests: N is 16. */
const CHEAP = 4;
export const PASSWORD = 'vélo-citron-fenêtre';
export const ADDRESS = '192.0.2.1';

export const openIdentity = ({ database }: Pick<Harness, 'database'>, clock: FixedClock): Identity =>
  createIdentity({ database, clock, logger: recordingLogger(), passwordCost: CHEAP });

/** Creates a user by the operator. Returns the one-time code. */
export async function invite({ users }: Identity, name: string, roles: readonly Role[]): Promise<string> {
  const made = await users.create({ name, fullName: `${name} Ben Ali`, roles, actor: OPERATOR, dryRun: false });
  if (made.code === undefined) throw new Error('a user that was created has a code');
  return made.code;
}

/** Creates a user with the password of the tests. */
export async function register(identity: Identity, name: string, roles: readonly Role[]): Promise<void> {
  const code = await invite(identity, name, roles);
  const { outcome } = await identity.sessions.setFirstPassword({ name, code, password: PASSWORD, address: ADDRESS });
  if (outcome !== 'set') throw new Error(`the password was not set: ${outcome}`);
}

export interface Started {
  readonly token: string;
  readonly session: UserSession;
  readonly deviceToken: string;
}

export function signedIn(answer: SignInOutcome): Started {
  if (answer.outcome !== 'signed_in') throw new Error(`not signed in: ${answer.outcome}`);
  return answer;
}

/** Signs a user without a second factor in. */
export async function signIn({ sessions }: Identity, name: string, address = ADDRESS): Promise<Started> {
  return signedIn(await sessions.signIn({ name, password: PASSWORD, address }));
}

/** Returns the code that an authenticator app shows at an instant. */
export function codeAt(secret: string, timestamp: number): string {
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp });
}

/** Creates a user with a second factor. Returns its secret. */
export async function enroll(
  identity: Identity,
  clock: FixedClock,
  name: string,
  roles: readonly Role[],
): Promise<string> {
  await register(identity, name, roles);
  const { sessions } = identity;
  const answer = await sessions.signIn({ name, password: PASSWORD, address: ADDRESS });
  if (!('session' in answer)) throw new Error(`not signed in: ${answer.outcome}`);
  const begun = await sessions.beginEnrollment(answer.session);
  if (!('secret' in begun)) throw new Error(`no enrollment: ${begun.outcome}`);
  const { secret } = begun;
  const confirmed = await sessions.confirmEnrollment(answer.session, codeAt(secret, clock.now()));
  if (confirmed.outcome !== 'enrolled') throw new Error('the code was not accepted');
  clock.advance(60_000);
  return secret;
}
