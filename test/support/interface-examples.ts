import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One request as the interface fixes it. Query values are the decoded ones; a `null` body is no body at all. */
export interface ExampleRequest {
  readonly method: 'GET' | 'POST';
  /** The path exactly as it stands on the wire, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The application credential, the special key, or the refresh token behind `refresh:`. */
  readonly authorization: 'app' | 'api-key' | `refresh:${string}`;
  readonly body: unknown;
}

/** One request and what the gateway answers to it. */
export interface ExampleExchange {
  readonly request: ExampleRequest;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface SingleAnswer {
  readonly name: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** What the client asks afterwards, before it gives its result. */
  readonly then?: readonly ExampleExchange[];
}

interface PagedAnswer {
  readonly name: string;
  readonly pages: readonly { readonly query: Readonly<Record<string, string>>; readonly body: unknown }[];
}

/** The decoded side by the contract, without `raw` and without `observedAt`. */
export type ExampleAnswer = (SingleAnswer | PagedAnswer) & { readonly result: unknown };

export type ExampleError = SingleAnswer & {
  readonly error: {
    readonly code: string;
    readonly httpStatus: number;
    readonly gatewayCode?: string;
    readonly fields?: Readonly<Record<string, readonly string[]>>;
    readonly retryAfterMs?: number;
  };
};

/** One call of an operation, typed by a person from the interface's tables. */
export interface InterfaceExample {
  /** The call as the contract names it, such as `payments.verify`. */
  readonly operation: string;
  /** The section of the interface it was typed from. */
  readonly section: string;
  readonly about: string;
  /** Options of the client that this example needs beside the credentials. */
  readonly options?: { readonly posFamily?: 'api' | 'partners' };
  readonly arguments: readonly unknown[];
  readonly request: ExampleRequest;
  readonly answers: readonly ExampleAnswer[];
  readonly errors: readonly ExampleError[];
}

/** One webhook of interface sections 6.2 to 6.4; `query` for version 1, `event` and `body` for the others. */
export type WebhookExample =
  | {
      readonly kind: 'payment-v1';
      readonly name: string;
      readonly section: string;
      readonly method: 'GET';
      /** Exactly as sent, escapes included. */
      readonly query: string;
    }
  | {
      readonly kind: 'payment-v2' | 'subscription';
      readonly name: string;
      readonly section: string;
      readonly method: 'POST';
      /** The value of the `X-Service-Event` header. */
      readonly event: string;
      readonly body: Readonly<Record<string, unknown>>;
    };

export const INTERFACE_FAMILIES = ['hosted-checkout', 'subscriptions', 'wallet', 'pos', 'qr'] as const;

/** The examples of all families, in the order of the interface. */
export function interfaceExamples(): readonly InterfaceExample[] {
  return INTERFACE_FAMILIES.flatMap((family) => readExamples(family) as InterfaceExample[]);
}

export function webhookExamples(): readonly WebhookExample[] {
  return readExamples('events') as WebhookExample[];
}

/** Every exchange of one answer or error, in the order in which the client makes them. */
export function exchangesOf(
  { request }: InterfaceExample,
  answer: ExampleAnswer | ExampleError,
): readonly ExampleExchange[] {
  if ('pages' in answer) {
    return answer.pages.map(({ query, body }) => ({ request: { ...request, query }, status: 200, body }));
  }
  const { status, headers, body, then = [] } = answer;
  return [{ request, status, body, ...(headers === undefined ? {} : { headers }) }, ...then];
}

function readExamples(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, '..', 'fixtures', 'interface', `${name}.json`), 'utf8'));
}
