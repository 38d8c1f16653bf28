import { AppError } from '../../kernel';

const NAME_CHARACTERS_MAX = 63;
const TEXT_CHARACTERS_MAX = 2_000;
const SHA256_HEX = /^[0-9a-f]{64}$/;

/** A name as people and keys have one: visible, in one line. @throws AppError `bad_input`. */
export function checkAssignee(name: string): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._'-]*$/u.test(name) || name.length > NAME_CHARACTERS_MAX || name !== name.trim()) {
    throw new AppError(
      'bad_input',
      `--to must be a name: at most ${NAME_CHARACTERS_MAX} letters, digits, spaces, dots, dashes or underscores`,
    );
  }
}

/** @throws AppError `bad_input` for a text that says nothing or cannot be kept. */
export function checkText(option: string, text: string): void {
  if (text.trim() === '') throw new AppError('bad_input', `${option} must say something`);
  if (text.length > TEXT_CHARACTERS_MAX) {
    throw new AppError('bad_input', `${option} is longer than ${TEXT_CHARACTERS_MAX} characters`);
  }
  if (!text.isWellFormed() || text.includes('\0')) throw new AppError('bad_input', `${option} is not valid text`);
}

/** @throws AppError `bad_input`. */
export function checkEvidence({ fileName, sha256 }: { readonly fileName: string; readonly sha256: string }): void {
  checkText('the name of the file', fileName);
  if (!SHA256_HEX.test(sha256)) throw new AppError('bad_input', 'the sha256 of a file has 64 hexadecimal digits');
}
