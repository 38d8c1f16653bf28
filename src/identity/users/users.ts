import { AppError, type Page } from '../../kernel';
import type { IdentityDeps } from '../identity-deps';
import {
  createUser,
  type CreateUserCommand,
  disableUser,
  enableUser,
  type NewUser,
  type OneTimeCode,
  resetPassword,
  resetSecondFactor,
  setRoles,
  type UserCommand,
} from './manage-users';
import type { Language, User } from './user';
import { openUsers, toUser, type UserKey, type UserQuery } from './user-store';

/**
 * The local users. Each decision needs the scope `users:manage`, states its reason, ends the sessions of the user if it
 * changes something, and is refused about oneself.
 */
export interface Users {
  /**
   * Creates a user, who sets their password with the returned code within 24 hours.
   *
   * @throws AppError `bad_input`, `user_exists`; `name_of_key` if a key has the name and the actor is not the operator.
   */
  create(command: CreateUserCommand): Promise<NewUser>;
  /** Returns a page of users, by name. */
  list(query: UserQuery): Promise<Page<User, UserKey>>;
  /** @throws AppError `not_found`. */
  find(name: string): Promise<User>;
  /** Replaces the roles. */
  setRoles(command: UserCommand & { readonly roles: readonly string[] }): Promise<'changed' | 'unchanged'>;
  /** Refuses every sign-in of the user and every key of their name. */
  disable(command: UserCommand): Promise<'disabled' | 'already_disabled'>;
  enable(command: UserCommand): Promise<'enabled' | 'already_enabled'>;
  /** Removes the password and returns a code with which the user sets another one. */
  resetPassword(command: UserCommand): Promise<OneTimeCode>;
  /** Removes the second factor. */
  resetSecondFactor(command: UserCommand): Promise<'reset' | 'none'>;
  /** Sets the language of a user's pages. @throws AppError `not_found`. */
  setLanguage(name: string, language: Language): Promise<void>;
}

export function createUsers(deps: IdentityDeps): Users {
  const { database } = deps;
  return {
    create: (command) => createUser(deps, command),
    list: (query) => database.read((session) => openUsers(session).list(query)),
    async find(name) {
      const row = await database.read((session) => openUsers(session).find(name));
      if (row === undefined) throw new AppError('not_found', { thing: 'user', id: name });
      return toUser(row);
    },
    setRoles: (command) => setRoles(deps, command),
    disable: (command) => disableUser(deps, command),
    enable: (command) => enableUser(deps, command),
    resetPassword: (command) => resetPassword(deps, command),
    resetSecondFactor: (command) => resetSecondFactor(deps, command),
    setLanguage: (name, language) =>
      database.transact(async (session) => {
        const row = await openUsers(session).hold(name);
        if (row === undefined) throw new AppError('not_found', { thing: 'user', id: name });
        await openUsers(session).change(row.userId, { language });
      }),
  };
}
