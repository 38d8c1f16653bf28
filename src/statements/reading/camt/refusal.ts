import { AppError } from '../../../kernel';

/** The error that refuses a file: where, what was expected, what was found. Lines start at 1. */
export function refusal(line: number, problem: string): AppError {
  return new AppError('bad_input', 'the statement cannot be read', { details: [`line ${line}: ${problem}`] });
}
