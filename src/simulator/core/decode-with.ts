import type { z } from 'zod';
import { AppError } from '../../kernel';

/**
 * Reads JSON by a schema. `whole` is the name of the value in the error.
 *
 * @throws AppError `bad_input` with one detail per fault: the path of the field, and the expected value.
 */
export function decodeWith<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || whole}: ${asExpectation(message)}`,
  );
  throw new AppError('bad_input', { field: whole, fault: 'cannot be used' }, { details });
}

/** Rewords Zod's messages, such as "Invalid input: expected number, received string" and "Unrecognized key: "x"". */
function asExpectation(message: string): string {
  return message
    .replace(/^(?:Invalid \w+|Too (?:big|small)): (?=expected )/, '')
    .replace(/, received /, ', got ')
    .replace(/^Unrecognized key(s?): /, 'unknown field$1 ');
}
