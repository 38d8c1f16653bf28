import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../kernel';
import type { Logger } from '../logging';
import { OPERATOR, type Actor } from './actor';
import { stateOf } from './api-key';
import { openApiKeys } from './api-key-store';
import type { KeyDeps } from './create-key';
import { parseKeyText, secretDigest } from './key-text';

/**
 * Whose key a text is; undefined for whatever reason it is not good. It is looked up each time, so that a revocation
 * holds at once, in every process.
 *
 * @throws AppError `unavailable` when the database cannot say.
 */
export async function authenticate(deps: KeyDeps, text: string): Promise<Actor | undefined> {
  const given = parseKeyText(text);
  if (given === undefined) return refused(deps.logger, 'malformed');
  const stored = await deps.database.read((session) => openApiKeys(session).find(given.keyId));
  if (stored === undefined) return refused(deps.logger, 'unknown');
  const { key, secretHash } = stored;
  if (!timingSafeEqual(secretDigest(given.secret), secretHash)) return refused(deps.logger, 'wrong_secret');
  const state = stateOf(key, deps.clock.now());
  if (state !== 'active') return refused(deps.logger, state);
  return { kind: 'api_key', name: key.name, keyId: key.id, scopes: key.scopes };
}

/** Who tried is not known, so only the reason is told, and only to us. */
function refused(logger: Logger, reason: string): undefined {
  logger.debug('API key refused', { event: 'identity.refused', reason });
}

/**
 * Who acts when a command was given this key, or none. Without one it is the operator; but as soon as there is a good
 * key, a decision needs one, or the audit trail could not say whose it was (docs/adr).
 *
 * @throws AppError `forbidden`.
 */
export async function commandActor(
  deps: KeyDeps,
  apiKey: string | undefined,
  { decides }: { readonly decides: boolean },
): Promise<Actor> {
  if (apiKey !== undefined) {
    const actor = await authenticate(deps, apiKey);
    if (actor === undefined) {
      throw new AppError('forbidden', 'MILLIME_API_KEY is not a key of ours, or is no longer good');
    }
    return actor;
  }
  if (decides && (await deps.database.read((session) => openApiKeys(session).hasGood(deps.clock.now())))) {
    throw new AppError(
      'forbidden',
      'MILLIME_API_KEY is not set: there are API keys here, so a decision must say whose it is',
    );
  }
  return OPERATOR;
}
