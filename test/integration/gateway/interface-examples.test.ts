import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayError } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { fixedClock } from '../../support/fakes';
import {
  type ExampleExchange,
  type ExampleRequest,
  exchangesOf,
  type InterfaceExample,
  interfaceExamples,
} from '../../support/interface-examples';

// Goal: the client sends and reads exactly the fields and types of the interface's tables.
// Method: a server that answers the literal bodies and stores the request bytes; the examples are typed by hand.

const NOW = '2026-03-05T09:00:00.000Z';
/** Far above what a slow machine needs for one answer: no example is about time-outs. */
const TIMEOUT_MS = 60_000;

interface SeenRequest {
  readonly method: string | undefined;
  readonly target: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly rawBody: string;
}

let baseUrl = '';
let script: readonly ExampleExchange[] = [];
let seen: SeenRequest[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const exchange = script[seen.length];
    seen.push({
      method: request.method,
      target: request.url ?? '',
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      rawBody: Buffer.concat(chunks).toString('utf8'),
    });
    const { status, headers, body } = exchange ?? { status: 418, headers: {}, body: 'nothing more was expected' };
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  seen = [];
});

/** Calls the operation of an example on a client of its own, and waits for all items of a list that comes in pages. */
async function call(example: InterfaceExample): Promise<unknown> {
  const client: unknown = aClient({
    baseUrl,
    publicKey: 'pk_test',
    privateKey: 'sk_test',
    apiKey: 'ak_test',
    timeoutMs: TIMEOUT_MS,
    clock: fixedClock(NOW),
    ...example.options,
  });
  const [family = '', verb = ''] = example.operation.split('.');
  const operations = client as Record<string, Record<string, (...given: readonly unknown[]) => unknown>>;
  const result = operations[family]?.[verb]?.(...example.arguments);
  if (result === undefined) throw new Error(`the client has no ${example.operation}`);
  return isAsyncIterable(result) ? allOf(result) : result;
}

async function allOf(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function expectRequests(exchanges: readonly ExampleExchange[]): void {
  expect(seen.map(shown)).toEqual(exchanges.map(({ request }) => expected(request)));
}

/** The escaping of the query is free, its decoded names and values are not; a bare plus would be read as a space. */
function shown({ target, method, authorization, contentType, rawBody }: SeenRequest): object {
  const [path = '', query = ''] = target.split('?');
  expect(query).not.toMatch(/[+ ]/);
  const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split('=').map(decodeURIComponent));
  return {
    method,
    path,
    query: pairs.toSorted(),
    authorization,
    body: rawBody === '' ? { kind: 'none' } : { kind: 'json', contentType, value: JSON.parse(rawBody) as unknown },
  };
}

function expected({ method, path, query, authorization, body }: ExampleRequest): object {
  return {
    method,
    path,
    query: Object.entries(query).toSorted(),
    authorization: headerOf(authorization),
    body: body === null ? { kind: 'none' } : { kind: 'json', contentType: 'application/json', value: body },
  };
}

function headerOf(authorization: ExampleRequest['authorization']): string {
  if (authorization === 'app') return 'Bearer pk_test:sk_test';
  if (authorization === 'api-key') return 'Api-Key ak_test';
  return `Bearer ${authorization.slice('refresh:'.length)}`;
}

const OF_EACH_ANSWER: readonly string[] = ['raw', 'askedAt', 'observedAt'];

/** What the contract leaves to each answer: the wire body at every depth, and the times of a status check. */
function decodedOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodedOf);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !OF_EACH_ANSWER.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, decodedOf(inner)]));
}

/** The rows of a list, whatever its operation calls them; a row that comes again is one row. */
function rowsOf(body: unknown): readonly unknown[] {
  const { results, transactions, result } = body as Record<string, unknown>;
  const rows = results ?? transactions ?? (Array.isArray(result) ? result : Object(result).bindings);
  if (!Array.isArray(rows)) throw new Error('the example has no rows');
  return rows;
}

function distinct(rows: readonly unknown[]): readonly unknown[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function expectRaw(result: unknown, exchanges: readonly ExampleExchange[]): void {
  if (Array.isArray(result)) {
    expect(result.map((item) => item.raw)).toEqual(distinct(exchanges.flatMap(({ body }) => rowsOf(body))));
  } else {
    // Where the client asked on, its result is what the last answer showed.
    expect((result as { readonly raw: unknown }).raw).toEqual(exchanges.at(-1)?.body);
  }
}

const examples = interfaceExamples();

describe.each(examples.map((example) => [`${example.operation}, ${example.about}`, example] as const))(
  '%s',
  (_title, example) => {
    test.each(example.answers.map((answer) => [answer.name, answer] as const))('reads: %s', async (_name, answer) => {
      script = exchangesOf(example, answer);

      const result = await call(example);

      expectRequests(script);
      expect(decodedOf(result)).toStrictEqual(answer.result);
      expectRaw(result, script);
    });

    if (example.errors.length === 0) return;

    test.each(example.errors.map((refusal) => [refusal.name, refusal] as const))(
      'rejects: %s',
      async (_name, refusal) => {
        script = exchangesOf(example, refusal);

        const error: unknown = await call(example).then(
          () => undefined,
          (reason: unknown) => reason,
        );

        expectRequests(script);
        expect(error).toBeInstanceOf(GatewayError);
        const { code, operation, httpStatus, gatewayCode, fields, retryAfterMs } = error as GatewayError;
        expect({ code, operation, httpStatus, gatewayCode, fields, retryAfterMs }).toEqual({
          operation: example.operation,
          ...refusal.error,
        });
      },
    );
  },
);

test('a verified payment has the times of its request and of its answer', async () => {
  const example = examples.find(({ operation }) => operation === 'payments.verify');
  const answer = example?.answers[0];
  if (example === undefined || answer === undefined) throw new Error('there is no example of a look');
  script = exchangesOf(example, answer);

  expect(await call(example)).toMatchObject({ askedAt: NOW, observedAt: NOW });
});
