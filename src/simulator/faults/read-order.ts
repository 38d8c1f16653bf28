import type { z } from 'zod';
import { AppError } from '../../kernel';

/** Reads what the control API was given. @throws AppError `bad_input` whose details name each field. */
export function readOrder<Schema extends z.ZodType>(schema: Schema, value: unknown, text: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new AppError('bad_input', text, {
    details: result.error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'the order'}: ${message}`),
  });
}
