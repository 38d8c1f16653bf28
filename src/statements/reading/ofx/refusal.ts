import { AppError } from '../../../kernel';

/** The error for a file that cannot be read any further, because of this one problem. */
export function refusal(problem: string): AppError {
  return new AppError('bad_input', 'the statement cannot be read', { details: [problem] });
}
