import { z } from 'zod';
import { AppError, ownValue, parseInstant, type Instant } from '../../kernel';
import type { ControlRequest } from './control-route';

/** An ISO 8601 instant with an offset. */
export const instant = z.string().transform((text, context): Instant => {
  const read = parseInstant(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 instant with an offset' });
  return z.NEVER;
});

/**
 * Reads the body of a call; no body is an empty one.
 *
 * @throws AppError `bad_input` whose details name each field that cannot be used.
 */
export function readBody<T>(schema: z.ZodType<T>, { body }: ControlRequest): T {
  return decoded(schema, body ?? {}, 'the body cannot be used');
}

/** @throws AppError `bad_input` whose details name each parameter that cannot be used, or is there twice. */
export function readQuery<T>(schema: z.ZodType<T>, { query }: ControlRequest): T {
  const names = [...query.keys()];
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) {
    throw new AppError('bad_input', 'the query cannot be used', {
      details: twice.map((name) => `${name}: is there twice`),
    });
  }
  return decoded(schema, Object.fromEntries(query), 'the query cannot be used');
}

/** For calls that take nothing: what somebody gives all the same is a mistake of theirs that they want to hear of. */
export function readNothing(request: ControlRequest): void {
  readBody(z.strictObject({}), request);
}

/** A variable part of the path. The pattern of the route has it. */
export function pathPart({ params }: ControlRequest, name: string): string {
  const part = ownValue(params, name);
  if (typeof part !== 'string') throw new AppError('internal', `the route has no part called ${name}`);
  return part;
}

function decoded<T>(schema: z.ZodType<T>, value: unknown, message: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new AppError('bad_input', message, {
    details: result.error.issues.map((issue) => `${issue.path.map(String).join('.') || 'the whole'}: ${issue.message}`),
  });
}
