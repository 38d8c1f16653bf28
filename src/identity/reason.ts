import { AppError } from '../kernel';

const REASON_CHARACTERS_MAX = 500;

/** @throws AppError `bad_input` for a reason that says nothing or cannot be kept. */
export function checkReason(reason: string): void {
  if (reason.trim() === '') throw new AppError('bad_input', '--reason must say why');
  if (reason.length > REASON_CHARACTERS_MAX) {
    throw new AppError('bad_input', `--reason is longer than ${REASON_CHARACTERS_MAX} characters`);
  }
  if (!reason.isWellFormed() || reason.includes('\0')) throw new AppError('bad_input', '--reason is not valid text');
}
