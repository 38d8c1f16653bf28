import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, foldText, guessableFault, PACKAGE_ROOT } from '../../kernel';
import { normalPassword } from './password-hash';

const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 128;
/** What must remain of a password beside the user's names and known words. */
const OTHER_CHARACTERS_MIN = 6;
/** A shorter word of a name occurs in many words. */
const NAME_PART_MIN = 3;

let common: ReadonlySet<string> | undefined;

/** Reads the list at its first use, because few commands need it. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(readFileSync(join(PACKAGE_ROOT, 'reference-data', 'common-passwords.txt'), 'utf8').match(/.+/g));
  return common;
}

/**
 * Checks a new password: its length, and that it is not among what another person tries first. Any characters are
 * allowed, and none is required.
 *
 * @param names what the user is called
 * @throws AppError `bad_input` without the password.
 */
export function checkNewPassword(password: string, names: readonly string[]): void {
  const fault = passwordFault(normalPassword(password), names);
  if (fault !== undefined) throw new AppError('bad_input', { field: 'password', fault, fix: 'choose another one' });
}

function passwordFault(password: string, names: readonly string[]): string | undefined {
  const { length } = Array.from(password);
  if (length < CHARACTERS_MIN || length > CHARACTERS_MAX || !password.isWellFormed()) {
    return `must have ${CHARACTERS_MIN} to ${CHARACTERS_MAX} characters`;
  }
  const plain = foldText(password).replaceAll(' ', '');
  if (commonPasswords().has(password.toLowerCase()) || commonPasswords().has(plain)) return 'is a common one';
  const rest = namesIn(names).reduce((text, name) => text.replaceAll(name, ''), plain);
  if (rest !== plain && rest.length < OTHER_CHARACTERS_MIN) return 'consists of the name of the user';
  return guessableFault(password, { unknownMin: OTHER_CHARACTERS_MIN });
}

/** Returns the names of a user and their words, the longest first, so that none hides another. */
function namesIn(names: readonly string[]): string[] {
  const words = names.flatMap((name) => [foldText(name).replaceAll(' ', ''), ...foldText(name).split(' ')]);
  return words.filter(({ length }) => length >= NAME_PART_MIN).sort((one, other) => other.length - one.length);
}
