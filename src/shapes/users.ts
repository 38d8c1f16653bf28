import { z } from 'zod';
import { LANGUAGES, type ListedSession, type NewUser, type OneTimeCode, ROLES, type User } from '../identity';
import { idValue, instantJson, instantValue } from './values';

const nameValue = z.string().meta({ description: 'The name with which the user signs in.', example: 'salma' });

const userFields = {
  id: idValue,
  name: nameValue,
  fullName: z.string().meta({ example: 'Salma Ben Ali' }),
  language: z.enum(LANGUAGES).nullable().meta({ description: 'Null: the language of the browser.' }),
  roles: z.array(z.enum(ROLES)),
  state: z.enum(['invited', 'active', 'disabled']).meta({ description: 'An invited user has no password yet.' }),
  hasSecondFactor: z.boolean(),
  createdAt: instantValue,
  createdBy: z.string(),
};

/** A local user without passwords and codes. */
export const listedUser = z.strictObject(userFields).meta({ id: 'User' });

/** Returns a user as JSON. */
export function userJson(user: User): z.input<typeof listedUser> {
  const { userId: id, name, fullName, language = null, roles, state, hasSecondFactor } = user;
  const created = { createdAt: instantJson(user.createdAt), createdBy: user.recordedBy };
  return { id, name, fullName, language, roles: [...roles], state, hasSecondFactor, ...created };
}

const codeFields = {
  code: z.string().nullable().meta({ description: 'The only copy of the one-time code; null in a dry run.' }),
  codeExpiresAt: instantValue,
};

/** A new user with the code with which they set their password. */
export const newUser = z.strictObject({ ...userFields, id: idValue.nullable(), ...codeFields }).meta({ id: 'NewUser' });

/** Returns a new user as JSON. A dry run creates none, so it has no id. */
export function newUserJson({ user, code, expiresAt }: NewUser): z.input<typeof newUser> {
  const shown = userJson(user);
  return {
    ...shown,
    id: code === undefined ? null : shown.id,
    code: code ?? null,
    codeExpiresAt: instantJson(expiresAt),
  };
}

/** A new code of a user whose password was removed. */
export const resetCode = z.strictObject({ name: nameValue, ...codeFields }).meta({ id: 'OneTimeCode' });

/** Returns the new code of a user as JSON. */
export function resetCodeJson(name: string, { code, expiresAt }: OneTimeCode): z.input<typeof resetCode> {
  return { name, code: code ?? null, codeExpiresAt: instantJson(expiresAt) };
}

/** A session of a user without its token. */
export const userSession = z
  .strictObject({
    id: idValue,
    address: z.string().meta({ description: 'The address of the sign-in.', example: '192.0.2.1' }),
    startedAt: instantValue,
    usedAt: instantValue.meta({ description: 'The last use, to the minute.' }),
    expiresAt: instantValue,
  })
  .meta({ id: 'UserSession' });

/** Returns a session of a list as JSON. */
export function userSessionJson(session: ListedSession): z.input<typeof userSession> {
  const { id, address, startedAt, usedAt, expiresAt } = session;
  const times = { startedAt: instantJson(startedAt), usedAt: instantJson(usedAt), expiresAt: instantJson(expiresAt) };
  return { id, address, ...times };
}
