import { AppError } from '../../kernel';

const NAME_CHARACTERS_MAX = 63;
const TEXT_CHARACTERS_MAX = 2_000;
const SHA256_HEX = /^[0-9a-f]{64}$/;

/** Checks the name of a person or a key: visible characters on one line. @throws AppError `bad_input`. */
export function checkAssignee(assignee: string): void {
  if (
    !/^[\p{L}\p{N}][\p{L}\p{N} ._'-]*$/u.test(assignee) ||
    assignee.length > NAME_CHARACTERS_MAX ||
    assignee !== assignee.trim()
  ) {
    const expected = `a name of at most ${NAME_CHARACTERS_MAX} letters, digits, spaces, dots, dashes or underscores`;
    throw new AppError('bad_input', { field: 'assignee', expected, got: assignee });
  }
}

/** Checks a text of a person. @throws AppError `bad_input` if it is blank or cannot be stored. */
export function checkText(field: string, text: string): void {
  if (text.trim() === '') throw new AppError('bad_input', { field, expected: 'a text', got: text });
  if (text.length > TEXT_CHARACTERS_MAX) {
    throw new AppError('bad_input', { field, expected: `at most ${TEXT_CHARACTERS_MAX} characters`, got: text.length });
  }
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new AppError('bad_input', { field, expected: 'Unicode text without NUL' });
  }
}

/** Checks the name and the digest of an evidence file. @throws AppError `bad_input`. */
export function checkEvidence({ fileName, sha256 }: { readonly fileName: string; readonly sha256: string }): void {
  checkText('evidence', fileName);
  if (!SHA256_HEX.test(sha256)) {
    throw new AppError('bad_input', { field: 'sha256', expected: '64 lowercase hexadecimal digits', got: sha256 });
  }
}
