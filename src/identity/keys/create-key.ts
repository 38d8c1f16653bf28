import { AppError, DAY_MS, newId, SECOND_MS } from '../../kernel';
import { type Actor, isPerson, OPERATOR, requireScope } from '../actor';
import { checkActorName } from '../actor-name';
import { openAuditTrail } from '../audit-store';
import type { IdentityDeps } from '../identity-deps';
import { checkReason } from '../reason';
import type { Scope } from '../scope';
import { openActorNames } from '../users/actor-name-store';
import { type ApiKey, parseScopes } from './api-key';
import { openApiKeys } from './api-key-store';
import { formatKeyText, freshSecret, secretDigest } from './key-text';

/** Ten years. Create a key that should last longer without an expiry. */
const LIFETIME_MAX_SECONDS = (3_650 * DAY_MS) / SECOND_MS;

/** The default scopes of a key that replaces lost ones: it can create the others. */
const RECOVERY_SCOPES: readonly Scope[] = ['keys:manage'];

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Undefined for a key without an expiry. */
  readonly ttlSeconds?: number | undefined;
  /** Does everything except store it. */
  readonly dryRun: boolean;
}

export interface CreateKeyCommand extends NewKey {
  readonly actor: Actor;
}

export interface RecoverKeyCommand extends Omit<NewKey, 'scopes'> {
  /** Default: the scope to manage keys. */
  readonly scopes?: readonly string[] | undefined;
  readonly reason: string;
}

export interface FreshKey {
  readonly key: ApiKey;
  /** The only copy: Millime does not store it. Undefined in a dry run. */
  readonly text: string | undefined;
  /** Whether no active key existed before: from now on a decision needs one. */
  readonly first: boolean;
}

/**
 * Creates a key. Stores it before returning its text, so that every key can be listed. A user may create keys in their
 * own name without `keys:manage`.
 *
 * @throws AppError `bad_input`, or `forbidden` when the actor lacks a scope that the key would have, or the name is that
 * of another user.
 */
export async function createKey(deps: IdentityDeps, command: CreateKeyCommand): Promise<FreshKey> {
  const { actor } = command;
  if (!isOwnName(actor, command.name)) requireScope(actor, 'keys:manage');
  const scopes = parseScopes(command.scopes);
  if (isPerson(actor)) {
    const missing = [...scopes].filter((scope) => !actor.scopes.has(scope));
    if (missing.length > 0) throw new AppError('scopes_exceeded', { name: actor.name, scopes: missing });
  }
  return addKey(deps, { ...command, scopes, action: 'key.created', reason: undefined });
}

function isOwnName(actor: Actor, name: string): boolean {
  return actor.kind === 'user' && actor.name === name;
}

/**
 * Creates a key without a key, for an operator who has lost all keys. It grants no more than the shell and the database
 * password do, and the audit trail records it.
 *
 * @throws AppError `bad_input`.
 */
export async function recoverKey(deps: IdentityDeps, command: RecoverKeyCommand): Promise<FreshKey> {
  checkReason(command.reason);
  const scopes = parseScopes(command.scopes ?? RECOVERY_SCOPES);
  return addKey(deps, { ...command, scopes, actor: OPERATOR, action: 'key.recovered' });
}

interface KeyToAdd extends Omit<NewKey, 'scopes'> {
  readonly scopes: ReadonlySet<Scope>;
  readonly actor: Actor;
  readonly action: 'key.created' | 'key.recovered';
  readonly reason: string | undefined;
}

async function addKey({ database, clock, logger }: IdentityDeps, given: KeyToAdd): Promise<FreshKey> {
  const { name, scopes, ttlSeconds, actor, action, reason, dryRun } = given;
  checkActorName(name);
  checkLifetime(ttlSeconds);
  const createdAt = clock.now();
  const expiresAt = ttlSeconds === undefined ? undefined : createdAt + ttlSeconds * SECOND_MS;
  const key = { id: newId(), name, scopes, createdAt, expiresAt, recordedBy: actor.name, revokedAt: undefined };
  const secret = freshSecret();
  const first = await database.transact(
    async (session) => {
      const keys = openApiKeys(session);
      const names = openActorNames(session);
      await names.lock(name);
      const isOfUser = (await names.userOf(name)) !== undefined;
      // Otherwise an actor who creates keys could act as a user.
      if (isOfUser && !(isPerson(actor) && actor.name === name)) throw new AppError('name_of_user', { name });
      const hadActive = await keys.hasActive(createdAt);
      await keys.add(key, secretDigest(secret));
      await openAuditTrail(session).record({
        at: createdAt,
        actor,
        action,
        subject: `key:${key.id}`,
        detail: {
          name,
          scopes: [...scopes].join(' '),
          expiresAt: expiresAt ?? null,
          ...(reason === undefined ? {} : { reason }),
        },
      });
      return !hadActive;
    },
    { dryRun },
  );
  if (dryRun) return { key, text: undefined, first };
  logger.info('API key created', { event: `identity.${action}`, keyId: key.id, name, recordedBy: actor.name });
  return { key, text: formatKeyText({ keyId: key.id, secret }), first };
}

function checkLifetime(ttlSeconds: number | undefined): void {
  if (ttlSeconds === undefined) return;
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > LIFETIME_MAX_SECONDS) {
    throw new AppError('bad_input', {
      field: 'ttlSeconds',
      expected: 'at least a second and at most 3650 days',
      got: `${ttlSeconds} s`,
      fix: 'leave it out for a key without an end',
    });
  }
}
