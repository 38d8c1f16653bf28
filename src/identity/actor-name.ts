import { AppError } from '../kernel';

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Names that rows use for actors without a key. A person with such a name would be mistaken for one of them. */
const RESERVED_NAMES: readonly string[] = ['cli', 'gateway', 'job', 'system'];

/**
 * Checks the name of a new key or user.
 *
 * @throws AppError `bad_input`.
 */
export function checkActorName(name: string): void {
  if (!isActorName(name)) {
    throw new AppError('bad_input', {
      field: 'name',
      expected: '1 to 63 small letters, digits, dots, dashes or underscores, the first a letter or a digit',
      got: name,
    });
  }
  if (RESERVED_NAMES.includes(name)) {
    throw new AppError('bad_input', {
      field: 'name',
      fault: `${name} is reserved`,
      fix: 'use the name of the person or the program',
    });
  }
}

/** Returns whether a text has the form of a name. */
export function isActorName(text: string): boolean {
  return NAME.test(text);
}
