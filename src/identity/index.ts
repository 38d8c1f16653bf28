import { AppError, type Page } from '../kernel';
import type { Actor } from './actor';
import { type ApiKey, type ApiKeyState, stateOf } from './api-key';
import { type ApiKeyKey, type ApiKeyQuery, openApiKeys } from './api-key-store';
import { type AuditKey, type AuditQuery, type AuditRecord, openAuditTrail } from './audit-store';
import { authenticate, commandActor } from './authenticate';
import {
  createKey,
  type CreateKeyCommand,
  type FreshKey,
  type KeyDeps,
  recoverKey,
  type RecoverKeyCommand,
} from './create-key';
import { type KeyActor, type LookUpLimit, recordLookUps } from './look-ups';
import { revokeKey, type RevokeKeyCommand, type RevokeKeyOutcome } from './revoke-key';

export { jobActor, OPERATOR, requireScope, type Actor, type ReasonedDecision } from './actor';
export type { ApiKey, ApiKeyState } from './api-key';
export type { ApiKeyKey, ApiKeyQuery } from './api-key-store';
export { openAuditTrail, type AuditDetail, type AuditKey, type AuditQuery, type AuditRecord } from './audit-store';
export type { CreateKeyCommand, FreshKey, RecoverKeyCommand } from './create-key';
export { checkReason } from './reason';
export type { RevokeKeyCommand, RevokeKeyOutcome } from './revoke-key';
export { SCOPES, type Scope } from './scope';

export interface ListedKey extends ApiKey {
  readonly state: ApiKeyState;
}

/** Actors, their scopes, and the audit trail of their actions. */
export interface Identity {
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
  recordLookUps(actor: KeyActor, agentIds: readonly string[]): Promise<LookUpLimit | undefined>;
  /** Returns a page of audit records, newest first. */
  auditRecords(query: AuditQuery): Promise<Page<AuditRecord, AuditKey>>;
}

export function createIdentity(deps: KeyDeps): Identity {
  const { database, clock } = deps;
  return {
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
    recordLookUps: (actor, agentIds) =>
      database.transact((session) => recordLookUps(session, actor, agentIds, clock.now())),
    auditRecords: (query) => database.read((session) => openAuditTrail(session).list(query)),
  };
}
