import { AppError, type Instant } from '../kernel';
import { SCOPES, type Scope } from './scope';

/** A key as it is kept and shown: everything except the secret. */
export interface ApiKey {
  readonly id: string;
  /** Whose it is: a person or a program. He may have several, so that one can replace another. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | undefined;
  readonly recordedBy: string;
  readonly revokedAt: Instant | undefined;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

/** Says whether a key is good at an instant. At the instant at which it expires it is no longer. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now: Instant): ApiKeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** What rows say when no key acted. A key of that name would be taken for it. */
const RESERVED_NAMES: readonly string[] = ['cli', 'gateway', 'job', 'system'];

/** @throws AppError `bad_input`. */
export function checkKeyName(name: string): void {
  if (!NAME.test(name)) {
    throw new AppError(
      'bad_input',
      '--name must be 1 to 63 small letters, digits, dots, dashes or underscores, and start with a letter or a digit',
    );
  }
  if (RESERVED_NAMES.includes(name)) {
    throw new AppError('bad_input', `--name: ${name} is a name of ours; name the person or the program`);
  }
}

/** Stands for every scope that there is when the key is made. */
const ALL_SCOPES = 'all';

/** Reads the names of scopes. @throws AppError `bad_input` that names the known ones. */
export function parseScopes(names: readonly string[]): ReadonlySet<Scope> {
  if (names.length === 1 && names[0] === ALL_SCOPES) return new Set(SCOPES);
  const unknown = names.filter((name) => !SCOPES.some((scope) => scope === name));
  if (names.length === 0 || unknown.length > 0) {
    const fault = unknown.length === 0 ? 'at least one is needed' : `${unknown.join(', ')}: not known`;
    throw new AppError('bad_input', `--scopes: ${fault}; the scopes are ${SCOPES.join(', ')}, or ${ALL_SCOPES}`);
  }
  return new Set(SCOPES.filter((scope) => names.includes(scope)));
}
