import fc, { type Arbitrary } from 'fast-check';

/** A schema of the OpenAPI document, as JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- keywords of JSON Schema have values of every type
export type JsonSchema = Readonly<Record<string, any>>;

const DEPTH_MAX = 5;

/** Texts at the edges of what a field may take. */
const STRANGE_TEXTS = [
  ...['', ' ', '0', '-1', '1e9', 'NaN', 'null', 'true', '[]', '{}', '../..', '%00', '\u0000', '\ud800', "' or 1=1 --"],
  ...['𝕊𝕒𝕝𝕞𝕒', 'سَلْمى', '\u202e', '\ufeff', 'a'.repeat(256), 'é'.repeat(200), '__proto__', 'constructor'],
  ...['2026-02-30', '9999-12-31', '2026-03-02', '2026-03-02T09:00:00Z', '01KJQ0Z8XG3T5V7W9Y1B2C4D6F'],
];

/** The first and the last that parameters accept, and those between which calendars and databases differ. */
export const EXTREME_DAYS = ['1970-01-01', '2199-12-31'];
export const EXTREME_INSTANTS = [
  ...['0000-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '5138-11-16T09:46:40Z', '9999-12-31T23:59:59.999Z'],
  ...['0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'],
];

/** Returns texts that are mostly strange. */
export const strangeText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...STRANGE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const anyJson: Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 });

/**
 * Returns values that a schema describes. Texts come often from `known`: ids that exist reach the use cases, where
 * invented ones meet `not_found`.
 */
export function arbitraryOf(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  known: () => readonly string[],
  depth = 0,
): Arbitrary<unknown> {
  const inner = (each: JsonSchema): Arbitrary<unknown> => arbitraryOf(each, resolve, known, depth + 1);
  if (typeof schema['$ref'] === 'string') return inner(resolve(schema['$ref']));
  if (depth > DEPTH_MAX) return anyJson;
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return fc.oneof(...choices.map(inner));
  if (Array.isArray(schema['allOf'])) return inner(Object.assign({}, ...schema['allOf']) as JsonSchema);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['type'])) {
    return fc.oneof(...schema['type'].map((type: string) => inner({ ...schema, type })));
  }
  switch (schema['type']) {
    case 'string':
      return textOf(schema, known);
    case 'integer':
      return numbersOf(schema);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema['items'] ?? {}), { minLength: schema['minItems'] ?? 0, maxLength: 4 });
    case 'object':
      return objectsOf(schema, inner);
    default:
      return anyJson;
  }
}

function textOf(schema: JsonSchema, known: () => readonly string[]): Arbitrary<string> {
  const existing = fc.nat().map((index) => {
    const texts = known();
    return texts[index % Math.max(1, texts.length)] ?? 'x';
  });
  const { minLength = 0, maxLength = 60, pattern, format } = schema;
  const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });
  if (format === 'date') {
    return fc.oneof(
      day.map((date) => date.toISOString().slice(0, 10)),
      fc.constantFrom(...EXTREME_DAYS),
      existing,
    );
  }
  if (format === 'date-time') {
    return fc.oneof(
      day.map((date) => date.toISOString()),
      fc.constantFrom(...EXTREME_INSTANTS),
      existing,
    );
  }
  const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 300)) };
  const free = fc.oneof(fc.string({ unit: 'grapheme', ...lengths }), strangeText);
  if (typeof pattern !== 'string') return fc.oneof({ weight: 3, arbitrary: existing }, free);
  return fc.oneof({ weight: 2, arbitrary: existing }, fc.stringMatching(new RegExp(pattern, 'u')), free);
}

function numbersOf({ minimum = -1_000_000_000_000, maximum = 1_000_000_000_000 }: JsonSchema): Arbitrary<number> {
  const bounds = {
    min: Math.max(Number(minimum), Number.MIN_SAFE_INTEGER),
    max: Math.min(Number(maximum), Number.MAX_SAFE_INTEGER),
  };
  const small = { min: bounds.min, max: Math.min(bounds.max, bounds.min + 100_000) };
  return fc.oneof(fc.integer(small), fc.integer(bounds), fc.constantFrom(bounds.min, bounds.max));
}

function objectsOf(schema: JsonSchema, inner: (each: JsonSchema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const model = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)]));
  return fc.record(model, { requiredKeys: required.filter((name) => name in model) as never[] });
}

/** Returns values that are like those of `arbitrary`, and wrong in one place. */
export function broken(arbitrary: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.tuple(arbitrary, fc.nat(), anyJson, strangeText).map(([value, at, other, name]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return other;
    const entries = Object.entries(value);
    if (entries.length === 0 || at % 4 === 0) return { ...value, [name]: other };
    const place = at % entries.length;
    if (at % 4 === 1) return Object.fromEntries(entries.filter((_, index) => index !== place));
    return Object.fromEntries(entries.map(([key, each], index) => [key, index === place ? other : each]));
  });
}
