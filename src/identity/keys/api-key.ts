import { AppError, type Instant } from '../../kernel';
import { type Scope, SCOPES } from '../scope';

/** A key as it is stored and shown: everything except the secret. */
export interface ApiKey {
  readonly id: string;
  /** The owner: a person or a program. An owner may have several keys, so that one can replace another. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | undefined;
  readonly recordedBy: string;
  readonly revokedAt: Instant | undefined;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

/** Returns the state of a key at an instant. A key is expired from the instant of its expiry. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now: Instant): ApiKeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

/** Stands for every scope that exists when the key is created. */
const ALL_SCOPES = 'all';

/**
 * Reads the names of scopes.
 *
 * @throws AppError `bad_input` that lists the known scopes.
 */
export function parseScopes(names: readonly string[]): ReadonlySet<Scope> {
  if (names.length === 1 && names[0] === ALL_SCOPES) return new Set(SCOPES);
  const unknown = names.filter((name) => !SCOPES.some((scope) => scope === name));
  if (names.length === 0 || unknown.length > 0) {
    throw new AppError('bad_input', {
      field: 'scopes',
      expected: `${ALL_SCOPES}, or some of ${SCOPES.join(', ')}`,
      got: unknown.join(', '),
    });
  }
  return new Set(SCOPES.filter((scope) => names.includes(scope)));
}
