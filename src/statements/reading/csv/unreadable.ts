import { AppError } from '../../../kernel';

/** Said after "the file". */
export function unreadable(reason: string): AppError {
  return new AppError('bad_input', `the statement cannot be read: the file ${reason}`);
}
