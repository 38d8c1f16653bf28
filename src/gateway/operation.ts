import type { ReadBody } from './codec/read-body';
import type { GatewayError } from './gateway-error';
import type { WireRequest } from './transport/wire';

/**
 * How often an operation may be sent (docs/GATEWAY.md, "Safety classes").
 *
 * - `A` a read: sent again a bounded number of times after a failure.
 * - `B` a creation with a natural key: sent again like a read, because the gateway refuses or repeats the second one.
 * - `C` a creation without a key, whose duplicate is harmless: sent again only when the first provably never left.
 * - `D` moves money and has no key: sent exactly once.
 */
export type SafetyClass = 'A' | 'B' | 'C' | 'D';

/** The credential in the Authorization header (interface section 5). */
export type AuthKind<Input> = 'app' | 'api_key' | { readonly bearer: (input: Input) => string };

/** One operation of the interface: how to build its request from the input, and how to read its answer. */
export interface Operation<Input, Result> {
  /** The client's name of the operation: `payments.refund`. */
  readonly name: string;
  readonly safety: SafetyClass;
  readonly auth: AuthKind<Input>;
  /** `false` if the operation is never sent again although its class would allow it. */
  readonly retries?: boolean;
  /** How long to wait after a 429 that names no time, in milliseconds. Default: a minute (open point 60). */
  readonly rateLimitMs?: number;
  /**
   * Builds the request.
   *
   * @throws FieldFaults when the input cannot be sent.
   */
  request(input: Input): WireRequest;
  /** Reads a refusal that this operation treats as a result; `undefined` keeps it an error. */
  decodeRefusal?(refusal: GatewayError, raw: unknown): Result | undefined;
  /**
   * Reads a body that reports no error.
   *
   * @throws ShapeFault when the interface does not describe it.
   */
  decode(body: ReadBody, input: Input): Result;
}
