import { z } from 'zod';
import {
  formatInstant,
  hasUnseen,
  type Instant,
  isOutsideId,
  parseBusinessDate,
  parseInstant,
  totalToJson,
} from '../kernel';

// The values of which all answers consist. An id makes a schema a component of the OpenAPI document.

/** An amount in millimes; also below 0 where a field says so. */
export const millimesValue = z
  .int()
  .meta({ id: 'Millimes', description: 'An amount in millimes: 1 DT is 1000.', example: 12500 });

/** A sum over many rows. */
export const totalValue = z.union([z.int(), z.string().regex(/^-?\d{16,}$/)]).meta({
  id: 'Total',
  description: 'A sum in millimes: an integer while it is safe, otherwise a string of digits.',
  example: 2769000,
});

/** Returns a sum as JSON. */
export const totalJson = (total: bigint): z.input<typeof totalValue> => totalToJson(total);

export const instantValue = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({
    id: 'Instant',
    format: 'date-time',
    description: 'An instant in UTC with milliseconds.',
    example: '2026-03-02T09:00:00.000Z',
  });

/** Returns an instant as JSON; null if it is not known. */
export function instantJson(instant: Instant): string;
export function instantJson(instant: Instant | undefined): string | null;
export function instantJson(instant: Instant | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant);
}

export const dayValue = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ id: 'Day', format: 'date', description: 'A day in the business time zone.', example: '2026-03-02' });

/** Any id of Millime, such as that of a break. */
export const idValue = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ id: 'Id', description: 'An id of Millime (a ULID).', example: '01KJQ0Z8XG3T5V7W9Y1B2C4D6F' });

// Parameters of a query or a path. They arrive as text, so each one decodes its text.

const DIGITS = /^-?\d{1,15}$/;

type JsonSchema = Record<string, unknown>;

/** Describes a parameter by what its text means, in place of the text. */
function documentedAs(schema: JsonSchema): { override: (context: { jsonSchema: JsonSchema }) => void } {
  return {
    override: ({ jsonSchema }) => {
      for (const name of ['type', 'pattern', 'enum', 'format']) Reflect.deleteProperty(jsonSchema, name);
      Object.assign(jsonSchema, schema);
    },
  };
}

/** A whole number in a query. */
export function integerParameter(min: number, max: number): z.ZodType<number, string> {
  const error = `expected a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(DIGITS, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
    .meta(documentedAs({ type: 'integer', minimum: min, maximum: max }));
}

/** `true` or `false` in a query. */
export const flagParameter: z.ZodType<boolean, string> = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((value) => value === 'true')
  .meta(documentedAs({ type: 'boolean' }));

/** One or more of some words, separated by commas: any of them fits. */
export function wordsParameter<const Word extends string>(words: readonly Word[]): z.ZodType<readonly Word[], string> {
  const error = `expected one or more of ${words.join(', ')}, separated by commas`;
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(words, { error })))
    .meta(documentedAs({ type: 'string', pattern: `^(${words.join('|')})(,(${words.join('|')}))*$` }));
}

const DAY_EXPECTED = 'expected a day from 1970 to 2199 such as 2026-03-02';

/** A day in a query or a path. */
export const dayParameter = z
  .string()
  .transform((text, context) => orRefused(parseBusinessDate(text), DAY_EXPECTED, context))
  .meta(documentedAs({ type: 'string', format: 'date' }));

const INSTANT_EXPECTED = 'expected an instant from 1970 to 2199 such as 2026-03-02T09:00:00.000Z';

/** An instant with its offset, in a query or a body. */
export const instantParameter = z
  .string()
  .transform((text, context) => orRefused(parseInstant(text), INSTANT_EXPECTED, context))
  .meta(documentedAs({ type: 'string', format: 'date-time' }));

/** Far above every amount, and exact in every program. */
const MILLIMES_MAX = 999_999_999_999_999;

/** An amount in a query. */
export const millimesParameter = integerParameter(0, MILLIMES_MAX);

/** An amount above 0 in a body. */
export const amountField = z.int().min(1).max(MILLIMES_MAX).meta({ description: 'In millimes.', example: 12500 });

/** Visible text of a person: well-formed, without control characters. */
export function textField(charactersMax: number): z.ZodString {
  const error = `expected a text of at most ${charactersMax} characters without control characters`;
  return z
    .string()
    .min(1, { error: 'expected a text, got nothing', abort: true })
    .max(charactersMax, { error, abort: true })
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, { error, abort: true })
    .refine((text) => text.isWellFormed(), { error });
}

/** A pasted text of at most so many bytes in UTF-8. It may contain any characters. */
export function pastedField(bytesMax: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(bytesMax)
    .refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= bytesMax, {
      error: `expected a text of at most ${bytesMax} bytes`,
    });
}

/** The reason of a decision, for the record. */
export const reasonField = textField(500).meta({ description: 'Why, for the record.', example: 'the contract ended' });

const OUTSIDE_ID_EXPECTED = 'expected an id of 1 to 255 bytes without control characters';

/** An id from outside: that of an agent, of a payment, or a reference. */
export const outsideIdField = z
  .string()
  .min(1, { error: OUTSIDE_ID_EXPECTED, abort: true })
  .max(255, { error: OUTSIDE_ID_EXPECTED, abort: true })
  .refine(isOutsideId, { error: OUTSIDE_ID_EXPECTED });

/** Clients remove these segments of a path (RFC 3986, 5.2.4). */
const DOT_SEGMENTS = ['.', '..'];

/** The id of a new thing: one that people can see and that every client can send in a path. */
export const newIdField = outsideIdField.refine((text) => !hasUnseen(text) && !DOT_SEGMENTS.includes(text), {
  error: 'expected an id without invisible characters that is not "." or ".."',
});

function orRefused<T>(value: T | undefined, expected: string, context: z.core.$RefinementCtx<string>): T {
  if (value !== undefined) return value;
  context.issues.push({ code: 'custom', message: expected, input: context.value });
  return z.NEVER;
}
