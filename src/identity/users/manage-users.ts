import { AppError, HOUR_MS, type Instant, newId } from '../../kernel';
import { type Actor, isPerson, type ReasonedDecision, requireScope } from '../actor';
import { checkActorName } from '../actor-name';
import { type AuditDetail, openAuditTrail } from '../audit-store';
import type { IdentityDeps } from '../identity-deps';
import { checkReason } from '../reason';
import { openActorNames } from './actor-name-store';
import { codeDigest, freshCode } from './one-time-code';
import { parseRoles } from './role';
import { openSessions } from './session-store';
import { checkFullName, type Language, type User } from './user';
import { newUserRow, openUsers, toUser, type UserChange, type UserRow } from './user-store';

const CODE_LIFETIME_MS = 24 * HOUR_MS;

export interface CreateUserCommand {
  readonly name: string;
  readonly fullName: string;
  readonly roles: readonly string[];
  readonly language?: Language | undefined;
  readonly actor: Actor;
  /** Required if a key has the name: then only the operator can create the user. */
  readonly reason?: string | undefined;
  /** Does everything except store it. */
  readonly dryRun: boolean;
}

/** A code with which a user sets their password once. */
export interface OneTimeCode {
  /** The only copy. Undefined in a dry run. */
  readonly code: string | undefined;
  readonly expiresAt: Instant;
}

export interface NewUser extends OneTimeCode {
  readonly user: User;
}

/** A decision about another user. */
export interface UserCommand extends ReasonedDecision {
  readonly name: string;
}

/**
 * Creates a user, who sets their password with the returned code.
 *
 * @throws AppError `bad_input`, `conflict` if the user exists; `forbidden` if a key has the name and the actor is not the
 * operator.
 */
export async function createUser(deps: IdentityDeps, command: CreateUserCommand): Promise<NewUser> {
  const { name, language, actor, reason, dryRun } = command;
  requireScope(actor, 'users:manage');
  checkActorName(name);
  const roles = parseRoles(command.roles);
  const fullName = checkFullName(command.fullName);
  if (reason !== undefined) checkReason(reason);
  const { code, codeExpiresAt, ...stored } = codeOf(deps);
  const at = deps.clock.now();
  const row = newUserRow({
    ...{ userId: newId(), name, fullName, language, roles, createdAt: at, recordedBy: actor.name },
    ...{ ...stored, codeExpiresAt },
  });
  await deps.database.transact(
    async (session) => {
      const names = openActorNames(session);
      await names.lock(name);
      if ((await names.userOf(name)) !== undefined) throw new AppError('user_exists', { name });
      if (await names.isOfKey(name)) requireOperator(actor, name, reason);
      await openUsers(session).add(row);
      const detail = { roles: roles.join(' '), ...(reason === undefined ? {} : { reason }) };
      await openAuditTrail(session).record({ at, actor, action: 'user.created', subject: `user:${name}`, detail });
    },
    // A second run finds the user of another process.
    { retryDuplicate: true, dryRun },
  );
  return { user: toUser(row), code: dryRun ? undefined : code, expiresAt: codeExpiresAt };
}

/** The owner of a key is known to be one person. The operator decides whether the user is the same person. */
function requireOperator(actor: Actor, name: string, reason: string | undefined): void {
  if (actor.kind !== 'operator') throw new AppError('name_of_key', { name });
  checkReason(reason ?? '', `that the keys of ${name} belong to the user`);
}

/** Gives a user other roles. They have effect at the next sign-in, because the sessions of the user end. */
export function setRoles(
  deps: IdentityDeps,
  command: UserCommand & { readonly roles: readonly string[] },
): Promise<'changed' | 'unchanged'> {
  const roles = parseRoles(command.roles);
  return decide(deps, command, (row) =>
    row.roles.join() === roles.join()
      ? { outcome: 'unchanged' }
      : {
          outcome: 'changed',
          change: { roles },
          action: 'user.roles_changed',
          detail: { roles: roles.join(' '), rolesBefore: row.roles.join(' ') },
        },
  );
}

/** Refuses every sign-in and key of a user, and ends their sessions. */
export function disableUser(deps: IdentityDeps, command: UserCommand): Promise<'disabled' | 'already_disabled'> {
  return decide(deps, command, ({ disabledAt }) =>
    disabledAt !== undefined
      ? { outcome: 'already_disabled' }
      : { outcome: 'disabled', change: { disabledAt: deps.clock.now() }, action: 'user.disabled' },
  );
}

/** Lets a disabled user sign in. */
export function enableUser(deps: IdentityDeps, command: UserCommand): Promise<'enabled' | 'already_enabled'> {
  return decide(deps, command, ({ disabledAt }) =>
    disabledAt === undefined
      ? { outcome: 'already_enabled' }
      : { outcome: 'enabled', change: { disabledAt: undefined }, action: 'user.enabled' },
  );
}

/** Removes the password of a user, and returns a code with which they set another one. */
export async function resetPassword(deps: IdentityDeps, command: UserCommand): Promise<OneTimeCode> {
  const { code, ...stored } = codeOf(deps);
  const change = { ...stored, passwordHash: undefined };
  await decide(deps, command, () => ({ outcome: 'reset', change, action: 'user.password_reset' }));
  return { code: command.dryRun ? undefined : code, expiresAt: stored.codeExpiresAt };
}

/** Removes the second factor of a user. If their roles need one, they enroll at the next sign-in. */
export function resetSecondFactor(deps: IdentityDeps, command: UserCommand): Promise<'reset' | 'none'> {
  return decide(deps, command, ({ totpSecret }) =>
    totpSecret === undefined
      ? { outcome: 'none' }
      : {
          outcome: 'reset',
          change: { totpSecret: undefined, totpStep: undefined },
          action: 'user.second_factor_reset',
        },
  );
}

/** The effect of a decision; without a change nothing is stored. */
interface Effect<Outcome> {
  readonly outcome: Outcome;
  readonly change?: UserChange;
  readonly action?: `user.${string}`;
  readonly detail?: AuditDetail;
}

async function decide<Outcome extends string>(
  { database, clock }: IdentityDeps,
  { name, actor, reason, dryRun }: UserCommand,
  effectOn: (row: UserRow) => Effect<Outcome>,
): Promise<Outcome> {
  requireScope(actor, 'users:manage');
  // Otherwise a stolen session could remove what protects its user.
  if (isPerson(actor) && actor.name === name) throw new AppError('own_user', { name });
  checkReason(reason);
  return database.transact(
    async (session) => {
      const users = openUsers(session);
      const row = await users.hold(name);
      if (row === undefined) throw new AppError('not_found', { thing: 'user', id: name });
      const { outcome, change, action, detail = {} } = effectOn(row);
      if (change === undefined || action === undefined) return outcome;
      await users.change(row.userId, change);
      await openSessions(session).removeOf(row.userId);
      const entry = { at: clock.now(), actor, action, subject: `user:${name}`, detail: { ...detail, reason } };
      await openAuditTrail(session).record(entry);
      return outcome;
    },
    { dryRun },
  );
}

function codeOf({ clock }: IdentityDeps): { code: string; codeDigest: string; codeExpiresAt: Instant } {
  const code = freshCode();
  return { code, codeDigest: codeDigest(code), codeExpiresAt: clock.now() + CODE_LIFETIME_MS };
}
