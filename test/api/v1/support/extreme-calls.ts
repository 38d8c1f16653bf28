import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../../src/kernel';
import type { OperationCall } from './api-client';
import { EXTREME_DAYS, EXTREME_INSTANTS, type JsonSchema } from './arbitrary-of-schema';

const document = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'docs/openapi.json'), 'utf8')) as JsonSchema;

/** They look like a day, an instant, a number, a code and a phrase, or are hard to store. */
const EXTREME_TEXTS = [
  ...['2026-13-45', '2026-03-02', '2026-03-02T09:00:00.000Z', '9007199254740993', '-0', 'break', 'refused'],
  ...['\u{1f600}', '\u202e', '\ufdfa', "' or 1=1 --", '%', '__proto__', '=1+1'],
];

/** Returns calls like one that is accepted, each with an extreme value of one parameter or of one field of its body. */
export function extremeCalls({ path, method }: { path: string; method: string }, call: OperationCall): OperationCall[] {
  const operation = document['paths'][`/api/v1${path}`]?.[method] as JsonSchema;
  const parameters = ((operation['parameters'] ?? []) as readonly JsonSchema[]).map(resolved);
  const inPlace = (place: string): readonly JsonSchema[] => parameters.filter((each) => each['in'] === place);
  const body = resolved(operation['requestBody']?.['content']?.['application/json']?.['schema'] as JsonSchema);
  const fields = Object.entries((body['properties'] ?? {}) as Record<string, JsonSchema>);
  return [
    ...inPlace('path').flatMap(({ name, schema }) =>
      extremesOf(schema).map((value) => ({ ...call, params: { ...call.params, [name]: String(value) } })),
    ),
    ...inPlace('query').flatMap(({ name, schema }) =>
      extremesOf(schema).map((value) => ({ ...call, query: { ...call.query, [name]: value } })),
    ),
    ...fields.flatMap(([name, schema]) =>
      extremesOf(schema).map((value) => ({ ...call, body: { ...(call.body as object), [name]: value } })),
    ),
  ];
}

function resolved(schema: JsonSchema = {}): JsonSchema {
  if (typeof schema['$ref'] !== 'string') return schema;
  const parts = schema['$ref'].slice(2).split('/');
  return resolved(parts.reduce((place: JsonSchema, part) => place[part] as JsonSchema, document));
}

function extremesOf(given: JsonSchema): (string | number)[] {
  const schema = resolved(given);
  const { type, format, minimum = -1, maximum = Number.MAX_SAFE_INTEGER, maxLength = 300 } = schema;
  if (type === 'integer') {
    return [Math.max(minimum, Number.MIN_SAFE_INTEGER), Math.min(maximum, Number.MAX_SAFE_INTEGER)];
  }
  if (type !== 'string' || 'enum' in schema) return [];
  if (format === 'date') return EXTREME_DAYS;
  if (format === 'date-time') return EXTREME_INSTANTS;
  return [...EXTREME_TEXTS, 'x'.repeat(maxLength)];
}
