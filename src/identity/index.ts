import { AppError, type Page } from '../kernel';
import type { Actor, Person } from './actor';
import { type AuditKey, type AuditQuery, type AuditRecord, openAuditTrail } from './audit-store';
import type { IdentityDeps } from './identity-deps';
import { type ApiKey, type ApiKeyState, stateOf } from './keys/api-key';
import { type ApiKeyKey, type ApiKeyQuery, openApiKeys } from './keys/api-key-store';
import { authenticate, commandActor } from './keys/authenticate';
import { createKey, type CreateKeyCommand, type FreshKey, recoverKey, type RecoverKeyCommand } from './keys/create-key';
import { type LookUpLimit, recordLookUps } from './keys/look-ups';
import { revokeKey, type RevokeKeyCommand, type RevokeKeyOutcome } from './keys/revoke-key';
import { createSessions, type Sessions } from './sessions/sessions';
import { createPasswordHasher } from './users/password-hash';
import { createUsers, type Users } from './users/users';

export {
  isPerson,
  jobActor,
  OPERATOR,
  personId,
  requireScope,
  type Actor,
  type Person,
  type ReasonedDecision,
} from './actor';
export { openAuditTrail, type AuditDetail, type AuditKey, type AuditQuery, type AuditRecord } from './audit-store';
export type { ApiKey, ApiKeyState } from './keys/api-key';
export type { ApiKeyKey, ApiKeyQuery } from './keys/api-key-store';
export type { CreateKeyCommand, FreshKey, RecoverKeyCommand } from './keys/create-key';
export type { RevokeKeyCommand, RevokeKeyOutcome } from './keys/revoke-key';
export { presentScopes } from './keys/present-scopes';
export { checkReason } from './reason';
export { SCOPES, type Scope } from './scope';
export { requireApprover, requirePerson, requireProposer, type TwoPeopleAction } from './two-people';
export type { ListedSession } from './sessions/find-session';
export type { Sessions } from './sessions/sessions';
export type { SignInOutcome } from './sessions/sign-in';
export { PROOF_LIFETIME_MS, type UserSession } from './sessions/user-session';
export type { NewUser, OneTimeCode } from './users/manage-users';
export { needsSecondFactor, ROLES, type Role, scopesOfRoles } from './users/role';
export { LANGUAGES, type Language, type User } from './users/user';
export type { UserKey } from './users/user-store';
export type { Users } from './users/users';

export interface ListedKey extends ApiKey {
  readonly state: ApiKeyState;
}

/** Actors, their scopes, and the audit trail of their actions. */
export interface Identity {
  readonly users: Users;
  readonly sessions: Sessions;
  /**
   * Returns the owner of a key, or undefined if the key is not active for any reason. Reads the key each time, so that
   * a revocation takes effect immediately.
   *
   * @throws AppError `unavailable` when the database cannot answer.
   */
  authenticate(keyText: string): Promise<Actor | undefined>;
  /**
   * Returns the actor of a command. Without a key this is the operator, who may decide only while no active key exists.
   *
   * @throws AppError `forbidden`.
   */
  commandActor(apiKey: string | undefined, options: { readonly decides: boolean }): Promise<Actor>;
  /**
   * Creates a key.
   *
   * @throws AppError `bad_input`, or `forbidden` when the actor lacks a scope that the key would have.
   */
  createKey(command: CreateKeyCommand): Promise<FreshKey>;
  /**
   * Creates a key for an operator who has lost all keys.
   *
   * @throws AppError `bad_input`.
   */
  recoverKey(command: RecoverKeyCommand): Promise<FreshKey>;
  /**
   * Revokes a key permanently; a repeat changes nothing.
   *
   * @throws AppError `bad_input` or `not_found`.
   */
  revokeKey(command: RevokeKeyCommand): Promise<RevokeKeyOutcome>;
  /** Returns a page of keys, newest first. */
  listKeys(query: ApiKeyQuery): Promise<Page<ListedKey, ApiKeyKey>>;
  /** @throws AppError `not_found`. */
  findKey(keyId: string): Promise<ListedKey>;
  /** Returns whether any key is neither revoked nor expired. */
  hasActiveKey(): Promise<boolean>;
  /**
   * Records that a person looks at agents, one record each; without ids, a search that found none. The searched text is
   * personal data: it is not stored. Returns the limit that this would pass; then it records nothing.
   */
  recordLookUps(
    actor: Person,
    agentIds: readonly string[],
    options: { readonly isLimited: boolean },
  ): Promise<LookUpLimit | undefined>;
  /** Records what a person opened or took away, such as `payment:TX-1` or `file:/reports/daily/csv`. */
  recordOpened(actor: Person, subject: string): Promise<void>;
  /** Records that a person asked for a page of the console without its scope. */
  recordRefusedPage(actor: Person, path: string): Promise<void>;
  /** Returns a page of audit records, newest first. */
  auditRecords(query: AuditQuery): Promise<Page<AuditRecord, AuditKey>>;
}

/** `passwordCost`: the binary logarithm of scrypt's N (default: 17, which is 128 MiB for each password). */
export function createIdentity({ passwordCost, ...deps }: IdentityDeps & { readonly passwordCost?: number }): Identity {
  const { database, clock } = deps;
  return {
    users: createUsers(deps),
    sessions: createSessions({ ...deps, passwords: createPasswordHasher(passwordCost) }),
    authenticate: (keyText) => authenticate(deps, keyText),
    commandActor: (apiKey, options) => commandActor(deps, apiKey, options),
    createKey: (command) => createKey(deps, command),
    recoverKey: (command) => recoverKey(deps, command),
    revokeKey: (command) => revokeKey(deps, command),
    async listKeys(query) {
      const { rows, next } = await database.read((session) => openApiKeys(session).list(query));
      const now = clock.now();
      return { rows: rows.map((key) => ({ ...key, state: stateOf(key, now) })), next };
    },
    async findKey(keyId) {
      const stored = await database.read((session) => openApiKeys(session).find(keyId));
      if (stored === undefined) throw new AppError('not_found', { thing: 'API key', id: keyId });
      return { ...stored.key, state: stateOf(stored.key, clock.now()) };
    },
    hasActiveKey: () => database.read((session) => openApiKeys(session).hasActive(clock.now())),
    recordLookUps: (actor, agentIds, { isLimited }) =>
      database.transact((session) => recordLookUps(session, actor, agentIds, { at: clock.now(), isLimited })),
    recordOpened: (actor, subject) =>
      database.transact((session) =>
        openAuditTrail(session).record({ at: clock.now(), actor, action: 'page.opened', subject, detail: {} }),
      ),
    recordRefusedPage: (actor, path) =>
      database.transact((session) =>
        openAuditTrail(session).record({
          ...{ at: clock.now(), actor, action: 'page.refused', subject: `page:${path}`, detail: {} },
        }),
      ),
    auditRecords: (query) => database.read((session) => openAuditTrail(session).list(query)),
  };
}
