import { AppError, type Instant, shownText } from '../../kernel';
import type { Role } from './role';

export const LANGUAGES = ['fr', 'en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A local user, without passwords and codes. */
export interface User {
  readonly userId: string;
  /** The name with which the user signs in. Keys of this name belong to the user. */
  readonly name: string;
  readonly fullName: string;
  /** Undefined: the language of the browser. */
  readonly language: Language | undefined;
  readonly roles: readonly Role[];
  readonly createdAt: Instant;
  readonly recordedBy: string;
  readonly state: UserState;
  readonly hasSecondFactor: boolean;
}

/** `invited`: the user has no password yet, or it was reset. */
export type UserState = 'invited' | 'active' | 'disabled';

const FULL_NAME_CHARACTERS_MAX = 200;

/**
 * Returns the full name of a user as it is stored.
 *
 * @throws AppError `bad_input`.
 */
export function checkFullName(text: string): string {
  const fullName = text.trim();
  if (fullName === '' || fullName.length > FULL_NAME_CHARACTERS_MAX || shownText(fullName) !== fullName) {
    const expected = `1 to ${FULL_NAME_CHARACTERS_MAX} visible characters on one line`;
    throw new AppError('bad_input', { field: 'fullName', expected, got: fullName });
  }
  return fullName;
}
