import { AppError } from '../kernel';

/** Returns the `bad_input` error for options that exclude each other. */
export function onlyOneOf(...options: readonly string[]): AppError {
  return new AppError('bad_input', { field: options.join(', '), expected: 'only one of these options' });
}
