import { AppError } from './app-error';
import { type FieldFault, problemText } from './problems';

/**
 * Returns the `bad_input` of a request: a single fault names its field, several become details with a line per fault.
 */
export function inputError(request: string, faults: readonly FieldFault[], cause?: unknown): AppError {
  const [first, ...others] = faults;
  const options = cause === undefined ? {} : { cause };
  if (first !== undefined && others.length === 0) return new AppError('bad_input', first, options);
  return new AppError('request_faults', { request }, { ...options, details: faults.map(faultText) });
}

/** Returns a fault as one line of a list. */
export function faultText(fault: FieldFault): string {
  return problemText('bad_input', { ...fault });
}
