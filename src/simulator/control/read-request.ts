import { z } from 'zod';
import { AppError, type Instant, ownValue, parseInstant } from '../../kernel';
import { decodeWith } from '../core/decode-with';
import type { ControlRequest } from './control-route';

/** An ISO 8601 instant with an offset. */
export const instant = z.string().transform((text, context): Instant => {
  const read = parseInstant(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: 'expected an ISO 8601 instant with an offset' });
  return z.NEVER;
});

/**
 * Reads the body of a call; a missing body counts as an empty one.
 *
 * @throws AppError `bad_input` whose details name each invalid field.
 */
export function readBody<T>(schema: z.ZodType<T>, { body }: ControlRequest): T {
  return decodeWith(schema, body ?? {}, 'body');
}

/**
 * Reads the query of a call.
 *
 * @throws AppError `bad_input` whose details name each invalid or repeated parameter.
 */
export function readQuery<T>(schema: z.ZodType<T>, { query }: ControlRequest): T {
  const names = [...query.keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length > 0) {
    const details = repeated.map((name) => `${name}: expected one value, got several`);
    throw new AppError('bad_input', { field: 'query', fault: 'cannot be used' }, { details });
  }
  return decodeWith(schema, Object.fromEntries(query), 'query');
}

/** Refuses a body for calls that accept none: fields without an effect are a mistake of the caller. */
export function readNothing(request: ControlRequest): void {
  readBody(z.strictObject({}), request);
}

/** Returns a variable part of the path, as named in the route's pattern. */
export function pathPart({ params }: ControlRequest, name: string): string {
  const part = ownValue(params, name);
  if (typeof part !== 'string') throw new AppError('internal', `the route has no part called ${name}`);
  return part;
}
