import { AppError } from '../kernel';

const REASON_CHARACTERS_MAX = 500;

/**
 * Checks the reason of a decision; `why` states what it must explain.
 *
 * @throws AppError `bad_input` when the reason is empty or cannot be stored.
 */
export function checkReason(reason: string, why = 'why'): void {
  const field = 'reason';
  if (reason.trim() === '') throw new AppError('bad_input', { field, expected: `a text that says ${why}`, got: '' });
  if (reason.length > REASON_CHARACTERS_MAX) {
    throw new AppError('bad_input', { field, expected: `at most ${REASON_CHARACTERS_MAX} characters` });
  }
  if (!reason.isWellFormed() || reason.includes('\0')) {
    throw new AppError('bad_input', { field, fault: 'is not valid text' });
  }
}
