import { AppError } from '../kernel';

const REASON_CHARACTERS_MAX = 500;

/**
 * Checks the reason of a decision; `why` says what it must explain.
 *
 * @throws AppError `bad_input` for one that says nothing or cannot be kept.
 */
export function checkReason(reason: string, why = 'why'): void {
  if (reason.trim() === '') throw new AppError('bad_input', `--reason must say ${why}`);
  if (reason.length > REASON_CHARACTERS_MAX) {
    throw new AppError('bad_input', `--reason is longer than ${REASON_CHARACTERS_MAX} characters`);
  }
  if (!reason.isWellFormed() || reason.includes('\0')) throw new AppError('bad_input', '--reason is not valid text');
}
