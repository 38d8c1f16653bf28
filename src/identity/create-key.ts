import type { Database } from '../db';
import { AppError, newId, type Clock } from '../kernel';
import type { Logger } from '../logging';
import { OPERATOR, requireScope, type Actor } from './actor';
import { checkKeyName, parseScopes, type ApiKey } from './api-key';
import { openApiKeys } from './api-key-store';
import { openAuditTrail } from './audit-store';
import { formatKeyText, freshSecret, secretDigest } from './key-text';
import { checkReason } from './reason';
import type { Scope } from './scope';

/** Ten years: a key for longer is one without an end, and should say so. */
const LIFETIME_MAX_SECONDS = 3_650 * 86_400;

/** What a key gets that is made because all others were lost: with it the others can be made. */
const RECOVERY_SCOPES: readonly Scope[] = ['keys:manage'];

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Undefined: until it is revoked. */
  readonly ttlSeconds?: number | undefined;
  /** Do everything except keep it. */
  readonly dryRun: boolean;
}

export interface CreateKeyCommand extends NewKey {
  readonly actor: Actor;
}

export interface RecoverKeyCommand extends Omit<NewKey, 'scopes'> {
  /** The right to manage keys when none are given. */
  readonly scopes?: readonly string[] | undefined;
  readonly reason: string;
}

export interface FreshKey {
  readonly key: ApiKey;
  /** The only copy: it is kept nowhere. Undefined on a dry run. */
  readonly text: string | undefined;
  /** Whether there was no good key before: from now on a decision needs one. */
  readonly first: boolean;
}

export interface KeyDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Makes a key. It is booked before it is handed out, so every key of ours can be listed.
 *
 * @throws AppError `bad_input`, or `forbidden` when the actor would give scopes that he does not have.
 */
export async function createKey(deps: KeyDeps, command: CreateKeyCommand): Promise<FreshKey> {
  const { actor } = command;
  requireScope(actor, 'keys:manage');
  const scopes = parseScopes(command.scopes);
  if (actor.kind === 'api_key') {
    const missing = [...scopes].filter((scope) => !actor.scopes.has(scope));
    if (missing.length > 0) {
      throw new AppError(
        'forbidden',
        `the API key of ${actor.name} cannot give what it does not have: ${missing.join(', ')}`,
      );
    }
  }
  return addKey(deps, { ...command, scopes, action: 'key.created', reason: undefined });
}

/**
 * Makes a key without having one, for whoever has lost them all. It gives nothing that the shell and the password of
 * the database do not give, and the audit trail says what it was.
 *
 * @throws AppError `bad_input`.
 */
export async function recoverKey(deps: KeyDeps, command: RecoverKeyCommand): Promise<FreshKey> {
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

async function addKey({ database, clock, logger }: KeyDeps, given: KeyToAdd): Promise<FreshKey> {
  const { name, scopes, ttlSeconds, actor, action, reason, dryRun } = given;
  checkKeyName(name);
  checkLifetime(ttlSeconds);
  const createdAt = clock.now();
  const expiresAt = ttlSeconds === undefined ? undefined : createdAt + ttlSeconds * 1_000;
  const key = { id: newId(), name, scopes, createdAt, expiresAt, recordedBy: actor.name, revokedAt: undefined };
  const secret = freshSecret();
  const first = await database.transact(
    async (session) => {
      const keys = openApiKeys(session);
      const hadGood = await keys.hasGood(createdAt);
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
      return !hadGood;
    },
    { dryRun },
  );
  if (dryRun) return { key, text: undefined, first };
  logger.info('API key made', { event: `identity.${action}`, keyId: key.id, name, recordedBy: actor.name });
  return { key, text: formatKeyText({ keyId: key.id, secret }), first };
}

function checkLifetime(ttlSeconds: number | undefined): void {
  if (ttlSeconds === undefined) return;
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > LIFETIME_MAX_SECONDS) {
    throw new AppError('bad_input', 'a key must live for at least a second and at most 3650 days, or without an end');
  }
}
