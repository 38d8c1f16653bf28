import { AppError } from './app-error';
import type { LineFault } from './csv-table';
import type { FieldFault } from './problem-type';
import { problemNotice } from './problems';

/**
 * Returns the `bad_input` of a request: a single fault names its field, several become details with a line per fault.
 */
export function inputError(request: string, faults: readonly FieldFault[], cause?: unknown): AppError {
  const [first, ...others] = faults;
  const options = cause === undefined ? {} : { cause };
  if (first !== undefined && others.length === 0) return new AppError('bad_input', first, options);
  return new AppError(
    'request_faults',
    { request },
    { ...options, details: faults.map((fault) => problemNotice('bad_input', { ...fault })) },
  );
}

/** Returns a faulty field of a line of a file. */
export function lineFault(line: number, fault: FieldFault): LineFault {
  const { text, command } = problemNotice('bad_input', { ...fault });
  return { line, reason: text, command };
}
