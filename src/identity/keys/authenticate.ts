import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../kernel';
import type { Logger } from '../../logging';
import { type Actor, OPERATOR } from '../actor';
import type { IdentityDeps } from '../identity-deps';
import { openActorNames } from '../users/actor-name-store';
import { scopesOfRoles } from '../users/role';
import { stateOf } from './api-key';
import { openApiKeys } from './api-key-store';
import { parseKeyText, secretDigest } from './key-text';

/**
 * Returns the owner of a key, or undefined if the key is not active for any reason. Reads the key each time, so that a
 * revocation takes effect immediately in every process. The key of a user has no scope that the user lacks now.
 *
 * @throws AppError `unavailable` when the database cannot answer.
 */
export async function authenticate(deps: IdentityDeps, text: string): Promise<Actor | undefined> {
  const given = parseKeyText(text);
  if (given === undefined) return refused(deps.logger, 'malformed');
  const found = await deps.database.read(async (session) => {
    const stored = await openApiKeys(session).find(given.keyId);
    const user = stored === undefined ? undefined : await openActorNames(session).userOf(stored.key.name);
    return stored === undefined ? undefined : { ...stored, user };
  });
  if (found === undefined) return refused(deps.logger, 'unknown');
  const { key, secretHash, user } = found;
  if (!timingSafeEqual(secretDigest(given.secret), secretHash)) return refused(deps.logger, 'wrong_secret');
  const state = stateOf(key, deps.clock.now());
  if (state !== 'active') return refused(deps.logger, state);
  if (user?.isDisabled === true) return refused(deps.logger, 'disabled_user');
  const ofUser = user === undefined ? undefined : scopesOfRoles(user.roles);
  const scopes = ofUser === undefined ? key.scopes : new Set([...key.scopes].filter((scope) => ofUser.has(scope)));
  return { kind: 'api_key', name: key.name, keyId: key.id, scopes };
}

/** Logs the reason of a refusal; the caller does not learn it. */
function refused(logger: Logger, reason: string): undefined {
  logger.debug('API key refused', { event: 'identity.refused', reason });
}

/**
 * Returns the actor of a command. Without a key this is the operator. As soon as an active key exists, a decision needs
 * a key, so that the audit trail can name the person (ADR 7).
 *
 * @throws AppError `forbidden`.
 */
export async function commandActor(
  deps: IdentityDeps,
  apiKey: string | undefined,
  { decides }: { readonly decides: boolean },
): Promise<Actor> {
  if (apiKey !== undefined) {
    const actor = await authenticate(deps, apiKey);
    if (actor === undefined) {
      const command = 'create one with "millime keys create"';
      throw new AppError('unauthenticated', { field: 'MILLIME_API_KEY', expected: 'an active API key', command });
    }
    return actor;
  }
  if (decides && (await deps.database.read((session) => openApiKeys(session).hasActive(deps.clock.now())))) {
    throw new AppError('unauthenticated', {
      field: 'MILLIME_API_KEY',
      expected: 'an API key',
      got: '',
      fix: 'set it, because this installation has API keys',
    });
  }
  return OPERATOR;
}
