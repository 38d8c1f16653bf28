import { isJsonObject } from '../../kernel';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import { isExact, plainJsonObject } from '../codec/plain-json';
import type { Operation } from '../operation';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A call of an operation that the interface names without a description (section 4.7). */
export interface RawRequest {
  readonly method: (typeof METHODS)[number];
  /**
   * From the base URL on, with one leading slash; its variable parts percent-encoded by the caller. Not that of Verify
   * Payment, which only `payments.verify` may call: the gateway bans who asks too often.
   */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Only what JSON can write without loss. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** Which credential is sent: the application pair, or the API key. */
  readonly auth: 'app' | 'api_key';
}

/**
 * Sends one request unchanged. The effect of the operation is unknown, so the request is sent once whatever happens, and
 * everything but a GET is treated as if it moved money. An answer with a sign of an error is an error here too; so is
 * one without a JSON object, because no HTTP status alone means success (open point 50).
 */
export async function rawRequest(caller: Caller, given: RawRequest): Promise<unknown> {
  const input = copyInput('request', given);
  return caller.run(rawOperation(input), input);
}

function rawOperation(input: RawRequest): Operation<RawRequest, unknown> {
  const { method: givenMethod, auth } = (input as Partial<RawRequest> | undefined) ?? {};
  return {
    name: 'request',
    safety: givenMethod === 'GET' ? 'A' : 'D',
    auth: auth === 'api_key' ? 'api_key' : 'app',
    retries: false,
    request() {
      const check = new InputCheck(input);
      const method = check.oneOf('method', METHODS);
      const path = check.text('path');
      check.oneOf('auth', ['app', 'api_key']);
      if (!isPlainPath(path)) check.refuse('path', 'must be a path of the gateway: no host, no query, no dot segments');
      if (isVerifyPath(path)) check.refuse('path', 'must not be that of Verify: payments.verify keeps its budget');
      if (method === 'GET' && input.body !== undefined) check.refuse('body', 'must not be given with GET');
      const query = queryOf(check);
      const body = check.given('body', 'body', () => bodyOf(check));
      check.done();
      return { method, path, query, ...body };
    },
    decode: (body) => body.raw,
  };
}

function queryOf(check: InputCheck): readonly (readonly [string, string])[] {
  const given = check.value('query');
  const query = copyInput('request', given === undefined ? {} : given);
  const entries = isJsonObject(query) ? Object.entries(query) : undefined;
  if (entries?.every(([name, value]) => name !== '' && name.isWellFormed() && isQueryValue(value)) !== true) {
    check.refuse('query', 'must be an object of texts, exact numbers and booleans');
    return [];
  }
  return entries.map(([name, value]) => [name, String(value)]);
}

function isQueryValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && isExact(value);
}

function bodyOf(check: InputCheck): Readonly<Record<string, unknown>> {
  const body = plainJsonObject(check.value('body'));
  if (body === undefined) check.refuse('body', 'must be an object that JSON can write without loss');
  return body ?? {};
}

/** Whatever could leave the base URL, for another host or upwards, is refused; so are a query and a fragment. */
function isPlainPath(path: unknown): boolean {
  if (typeof path !== 'string' || !/^\/[\x21-\x7e]+$/.test(path) || /[\\?#]|\/\//.test(path)) return false;
  return !path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
}

/** Also in another spelling that a server may take for the same path. */
function isVerifyPath(path: string): boolean {
  return /^\/api\/v2\/verify_payment(\/|$)/i.test(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
