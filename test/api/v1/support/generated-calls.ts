import fc, { type Arbitrary } from 'fast-check';
import type { Call } from '../../support/http-call';
import type { OperationCall } from './api-client';
import { arbitraryOf, broken, type JsonSchema, strangeText } from './arbitrary-of-schema';

/** An operation of the OpenAPI document. */
export interface DocumentOperation {
  readonly operationId: string;
  readonly path: string;
  readonly method: string;
  readonly operation: JsonSchema;
}

export interface Generated {
  readonly operationId: string;
  readonly call: Call;
}

/** Of 7 values, how many are those of the call that was accepted before. */
const ACCEPTED_WEIGHT = 6;

type Values = Readonly<Record<string, unknown>>;
type Model = Readonly<Record<string, Arbitrary<unknown>>>;

export interface CallSource {
  readonly document: JsonSchema;
  readonly keyText: string;
  /** Texts that exist in the world, such as ids. */
  readonly known: () => readonly string[];
}

export function operationsOf(document: JsonSchema): readonly DocumentOperation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, JsonSchema>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...{ path, method, operation },
      operationId: operation['operationId'] as string,
      toString: () => operation['operationId'] as string,
    })),
  );
}

/** Returns calls of an operation, valid and broken. With `accepted`, most values are those of that call. */
export function callsOf(
  source: CallSource,
  described: DocumentOperation,
  accepted?: OperationCall,
): Arbitrary<Generated> {
  const { document, keyText, known } = source;
  const { operationId, path, method, operation } = described;
  const resolve = (ref: string): JsonSchema => at(document, ref);
  const valueOf = (schema: JsonSchema): Arbitrary<unknown> => arbitraryOf(schema, resolve, known);
  const parameters = ((operation['parameters'] ?? []) as readonly JsonSchema[]).map((each) =>
    typeof each['$ref'] === 'string' ? resolve(each['$ref']) : each,
  );
  const within = (place: string, values: Values | undefined): Arbitrary<Values> => {
    const these = parameters.filter((each) => each['in'] === place);
    const model = Object.fromEntries(these.map(({ name, schema }) => [name as string, valueOf(schema as JsonSchema)]));
    const required = these.filter((each) => each['required'] === true).map(({ name }) => name as string);
    return values === undefined ? fc.record(model, { requiredKeys: required }) : near(model, values);
  };
  const hasDryRun = parameters.some(({ name }) => name === 'dryRun');
  const content = Object.entries((operation['requestBody']?.['content'] ?? {}) as Record<string, JsonSchema>)[0];
  const query = accepted && { ...(hasDryRun ? { dryRun: true } : {}), ...accepted.query };
  return fc
    .tuple(
      within('path', accepted && { ...accepted.params }),
      maybeBroken(within('query', query)),
      within('header', undefined),
      bodyOf(content, valueOf, accepted?.body),
      fc.uuid(),
      fc.nat(20),
    )
    .map(([params, chosen, declared, body, key, odd]) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encoded(params[name]));
      const pairs = Object.entries(chosen).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
      const isKeyed = 'Idempotency-Key' in declared && !(accepted && chosen['dryRun'] === true);
      const headers = {
        Authorization: `Bearer ${keyText}`,
        ...(content === undefined ? {} : { 'Content-Type': odd === 1 ? 'text/plain' : content[0] }),
        ...(isKeyed ? { 'Idempotency-Key': odd < 4 ? 'one key for many' : key } : {}),
        ...('If-Match' in declared ? { 'If-Match': odd < 10 ? (accepted?.ifMatch ?? '"1"') : `"${odd - 10}"` } : {}),
      };
      const target = withQuery(filled, odd === 0 ? [...pairs, '%zz'] : pairs);
      return {
        operationId,
        call: { method: method.toUpperCase(), path: target, headers, ...(body === undefined ? {} : { body }) },
      };
    });
}

const at = (document: JsonSchema, ref: string): JsonSchema =>
  ref
    .slice(2)
    .split('/')
    .reduce((place: JsonSchema, part) => place[part] as JsonSchema, document);

const withQuery = (path: string, pairs: readonly string[]): string =>
  pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;

const ABSENT = Symbol('absent');

/** Returns objects like `values`, with few others and few more. */
function near(model: Model, values: Values): Arbitrary<Values> {
  const mixed = Object.entries({ ...values, ...model }).map(([name, other]) => {
    const usual = fc.constant(name in values ? values[name] : ABSENT);
    const rest = name in model ? (other as Arbitrary<unknown>) : usual;
    return fc.oneof({ weight: ACCEPTED_WEIGHT, arbitrary: usual }, { weight: 1, arbitrary: rest });
  });
  const names = Object.keys({ ...values, ...model });
  return fc
    .tuple(...mixed)
    .map((chosen) => Object.fromEntries(chosen.flatMap((value, i) => (value === ABSENT ? [] : [[names[i], value]]))));
}

function maybeBroken(arbitrary: Arbitrary<Values>): Arbitrary<Values> {
  const wrong = broken(arbitrary).map((value) => Object(value) as Values);
  return fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: wrong });
}

function bodyOf(
  content: readonly [string, JsonSchema] | undefined,
  valueOf: (schema: JsonSchema) => Arbitrary<unknown>,
  accepted: unknown,
): Arbitrary<string | Uint8Array | undefined> {
  if (content === undefined) return fc.constant(undefined);
  const [type, { schema }] = content;
  if (type !== 'application/json') return fileOf(accepted);
  const described = schema as JsonSchema;
  const free = valueOf(described);
  const good = accepted === undefined ? free : likeBody(described, valueOf, accepted as Values);
  const json = (arbitrary: Arbitrary<unknown>): Arbitrary<string> => arbitrary.map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: json(good) },
    { weight: 1, arbitrary: json(free) },
    { weight: 2, arbitrary: json(broken(good)) },
    { weight: 1, arbitrary: fc.oneof(strangeText, fc.uint8Array({ maxLength: 60 })) },
  );
}

function likeBody(
  { properties }: JsonSchema,
  valueOf: (schema: JsonSchema) => Arbitrary<unknown>,
  accepted: Values,
): Arbitrary<unknown> {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  return near(Object.fromEntries(fields.map(([name, schema]) => [name, valueOf(schema)])), accepted);
}

/** Returns files: any bytes, and those of a file that was accepted with a changed, a removed or a repeated part. */
function fileOf(accepted: unknown): Arbitrary<string | Uint8Array> {
  const any = fc.oneof(fc.uint8Array({ maxLength: 400 }), strangeText);
  if (!(accepted instanceof Uint8Array)) return any;
  const changed = fc
    .tuple(fc.nat(accepted.length), fc.nat(40), fc.oneof(strangeText, fc.constant('')))
    .map(([from, length, text]) =>
      Buffer.concat([accepted.subarray(0, from), Buffer.from(text), accepted.subarray(from + length)]),
    );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(accepted) },
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: fc.nat(accepted.length).map((end) => accepted.subarray(0, end)) },
    { weight: 2, arbitrary: any },
  );
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed()) || '%20';
}
