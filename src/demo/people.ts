import { randomBytes } from 'node:crypto';
import { type Actor, type Identity, needsSecondFactor, OPERATOR, type Role, ROLES } from '../identity';
import { AppError, type Clock, type Instant, SECOND_MS } from '../kernel';

const STEP_MS = 30 * SECOND_MS;
const PASSWORD_BYTES = 12;
const ADDRESS = '127.0.0.1';

type Names = readonly [name: string, fullName: string];

const NAMES: Readonly<Record<Role, Names>> = {
  field: ['sami', 'Sami Ferchichi'],
  reader: ['rim', 'Rim Sassi'],
  finance: ['salma', 'Salma Mejri'],
  approver: ['omar', 'Omar Belhadj'],
  operator: ['nour', 'Nour Khelifi'],
  admin: ['ines', 'Ines Chebbi'],
};

/** A user of the demo, as a visitor signs in. */
export interface DemoUser {
  readonly role: Role;
  readonly name: string;
  readonly password: string;
  /** The secret of the second factor, if the role needs one. */
  readonly secret: string | undefined;
}

/** Creates a user of each role with a password, and a second factor where the role needs one. */
export async function createPeople(identity: Identity, clock: Clock): Promise<readonly DemoUser[]> {
  const people: DemoUser[] = [];
  for (const role of ROLES) people.push(await createPerson(identity, clock, role, NAMES[role]));
  return people;
}

/** Signs in a user whose role needs no second factor, and returns who acts. */
export async function actorOf({ sessions }: Identity, { name, password }: DemoUser): Promise<Actor> {
  const signedIn = await sessions.signIn({ name, password, address: ADDRESS });
  if (signedIn.outcome !== 'signed_in') throw new AppError('internal', `${name} was not signed in`);
  return signedIn.session.actor;
}

/** Returns the code of the next 30 seconds, which is accepted for 30 seconds at least and was not used before. */
export function nextCode(secret: string, now: Instant): Promise<string> {
  return codeAt(secret, now + STEP_MS);
}

async function codeAt(secret: string, timestamp: Instant): Promise<string> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: STEP_MS / SECOND_MS }).generate({ timestamp });
}

/** Creates a user with a password, and a second factor if the role needs one. */
export async function createPerson(
  identity: Identity,
  clock: Clock,
  role: Role,
  [name, fullName]: Names,
): Promise<DemoUser> {
  const { users, sessions } = identity;
  const { code = '' } = await users.create({ name, fullName, roles: [role], actor: OPERATOR, dryRun: false });
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  const set = await sessions.setFirstPassword({ name, code, password, address: ADDRESS });
  if (set.outcome !== 'set') throw new AppError('internal', `the password of ${name} was not set`);
  const secret = needsSecondFactor([role]) ? await enroll(identity, clock, { name, password }) : undefined;
  return { role, name, password, secret };
}

async function enroll(
  { sessions }: Identity,
  clock: Clock,
  { name, password }: Pick<DemoUser, 'name' | 'password'>,
): Promise<string> {
  const signedIn = await sessions.signIn({ name, password, address: ADDRESS });
  if (signedIn.outcome !== 'must_enroll') throw new AppError('internal', `${name} was not asked for a second factor`);
  const begun = await sessions.beginEnrollment(signedIn.session);
  if (!('secret' in begun)) throw new AppError('internal', `${name} has a second factor already`);
  const { secret } = begun;
  const enrolled = await sessions.confirmEnrollment(signedIn.session, await codeAt(secret, clock.now()));
  if (enrolled.outcome !== 'enrolled') throw new AppError('internal', `the second factor of ${name} was not enrolled`);
  return secret;
}
