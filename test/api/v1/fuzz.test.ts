import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { PACKAGE_ROOT } from '../../../src/kernel';
import { FAULT_SEED, sized } from '../../support/faults';
import { describeApi } from '../support/api';
import type { Call } from '../support/http-call';
import { apiClient, expectDeclared, operationOf } from './support/api-client';
import { arbitraryOf, broken, type JsonSchema, strangeText } from './support/arbitrary-of-schema';
import { SCENARIOS } from './support/scenarios';

// Goal: whatever a client sends, the API answers with a declared answer of the declared form, never with a 5xx.
// Method: calls generated from docs/openapi.json, valid and broken, on a world in which every scenario was played.
// API_FUZZ_SECONDS sets the length: 600 for ten minutes on each database.

const SECONDS = Number(process.env['API_FUZZ_SECONDS'] ?? sized({ short: 15, full: 120 }));
const LIMIT_MS = (SECONDS + 240) * 1_000;
const TEXTS_MAX = 5_000;

const document = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'docs/openapi.json'), 'utf8')) as JsonSchema;
const resolve = (ref: string): JsonSchema =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: JsonSchema, part) => at[part] as JsonSchema, document);

interface Generated {
  readonly operationId: string;
  readonly call: Call;
}

const operations = Object.entries(document['paths'] as Record<string, Record<string, JsonSchema>>).flatMap(
  ([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describeApi(
  'the API',
  (current) => {
    test(
      'answers generated calls as it declares, and never with a 5xx',
      async () => {
        const client = await apiClient(current.api);
        const texts = new Set<string>(['004711', 'x']);
        const learn = (value: unknown): void => {
          if (typeof value === 'string' && value.length <= 80 && texts.size < TEXTS_MAX) texts.add(value);
          else if (typeof value === 'object' && value !== null) Object.values(value).forEach(learn);
        };
        for (const [operationId, make] of Object.entries(SCENARIOS)) {
          // One scenario may forbid another: the world need not be complete.
          const { call } = await make(current.api, client).catch(() => ({ call: undefined }));
          if (call === undefined) continue;
          learn(call);
          learn((await client.call(operationId, call)).body);
        }
        const seen = new Map<string, number>();
        let calls = 0;
        const property = fc.asyncProperty(
          callsOf(client.keyText, () => [...texts]),
          async ({ operationId, call }) => {
            const answer = await current.api.call(call);
            calls += 1;
            if (answer.status < 300) seen.set(operationId, (seen.get(operationId) ?? 0) + 1);
            expect([operationId, answer.status < 500, answer.text]).toEqual([operationId, true, answer.text]);
            expectDeclared(operationOf(operationId), answer);
            if (answer.status < 300 && /json/.test(answer.headers['content-type'] ?? '')) {
              learn(JSON.parse(answer.text));
            }
          },
        );
        const options = { seed: FAULT_SEED, numRuns: 10_000_000, interruptAfterTimeLimit: SECONDS * 1_000 };
        await fc.assert(property, { ...options, markInterruptAsFailure: false });
        process.stderr.write(
          `${calls} generated calls; ${seen.size} of ${operations.length} operations answered 2xx\n`,
        );
        // A slow machine sends few: these show that the calls reach the use cases.
        expect(calls).toBeGreaterThan(100);
        expect(seen.size).toBeGreaterThan(10);
      },
      LIMIT_MS,
    );
  },
  {
    hasGateway: true,
    environment: { API_REQUESTS_PER_MINUTE: '9999999', API_WRITES_PER_MINUTE: '9999999' },
  },
);

function withQuery(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function callsOf(keyText: string, known: () => readonly string[]): Arbitrary<Generated> {
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const parameters = (operation['parameters'] ?? []) as readonly JsonSchema[];
    const valueOf = (schema: JsonSchema): Arbitrary<unknown> => arbitraryOf(schema, resolve, known);
    const within = (place: string): Arbitrary<Record<string, unknown>> => {
      const these = parameters.map(dereferenced).filter((each) => each['in'] === place);
      const model = Object.fromEntries(
        these.map((each) => [each['name'] as string, valueOf(each['schema'] as JsonSchema)]),
      );
      const requiredKeys = these.filter((each) => each['required'] === true).map((each) => each['name'] as never);
      return fc.record(model, { requiredKeys });
    };
    const content = Object.entries((operation['requestBody']?.['content'] ?? {}) as Record<string, JsonSchema>)[0];
    return fc
      .tuple(
        within('path'),
        maybeBroken(within('query')),
        within('header'),
        bodyOf(content, valueOf),
        fc.uuid(),
        fc.nat(20),
      )
      .map(([params, query, headers, body, key, odd]) => {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encoded(params[name]));
        const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
        const [type] = content ?? [];
        return {
          operationId: operation['operationId'] as string,
          call: {
            method: method.toUpperCase(),
            path: withQuery(filled, odd === 0 ? [...pairs, '%zz'] : pairs),
            headers: {
              Authorization: `Bearer ${keyText}`,
              ...(type === undefined ? {} : { 'Content-Type': odd === 1 ? 'text/plain' : type }),
              ...('Idempotency-Key' in headers ? { 'Idempotency-Key': odd < 4 ? 'one key for many' : key } : {}),
              ...(typeof headers['If-Match'] === 'string' ? { 'If-Match': `"${odd}"` } : {}),
            },
            ...(body === undefined ? {} : { body }),
          },
        };
      });
  });
}

const dereferenced = (parameter: JsonSchema): JsonSchema =>
  typeof parameter['$ref'] === 'string' ? resolve(parameter['$ref']) : parameter;

function maybeBroken(arbitrary: Arbitrary<Record<string, unknown>>): Arbitrary<Record<string, unknown>> {
  const wrong = broken(arbitrary) as Arbitrary<Record<string, unknown>>;
  return fc.oneof(
    { weight: 4, arbitrary },
    { weight: 1, arbitrary: wrong.map((value) => Object(value) as typeof value) },
  );
}

function bodyOf(
  content: readonly [string, JsonSchema] | undefined,
  valueOf: (schema: JsonSchema) => Arbitrary<unknown>,
): Arbitrary<string | Uint8Array | undefined> {
  if (content === undefined) return fc.constant(undefined);
  const [type, { schema }] = content;
  if (type !== 'application/json') return fc.oneof(fc.uint8Array({ maxLength: 400 }), strangeText);
  const good = valueOf(schema as JsonSchema);
  return fc.oneof(
    { weight: 6, arbitrary: good.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: broken(good).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(strangeText, fc.uint8Array({ maxLength: 60 })) },
  );
}

function encoded(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed()) || '%20';
}
