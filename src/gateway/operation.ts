import type { ReadBody } from './codec/read-body';
import type { GatewayError } from './gateway-error';
import type { WireRequest } from './transport/wire';

/**
 * How often an operation may be sent (open points, "safety classes").
 *
 * - `A` a read: sent again, a bounded number of times, when it failed.
 * - `B` a creation with a natural key: sent again like a read, because the gateway refuses or repeats the second.
 * - `C` a creation without a key, whose duplicate is harmless: sent again only when the first provably never left.
 * - `D` moves money and has no key: sent once, whatever happens.
 */
export type SafetyClass = 'A' | 'B' | 'C' | 'D';

/** Which credential goes into the header Authorization (interface section 5). */
export type AuthKind<Input> = 'app' | 'api_key' | { readonly bearer: (input: Input) => string };

/** One operation of the interface: its place, how a request is made from the input, and how the answer is read. */
export interface Operation<Input, Result> {
  /** As the client names it: `payments.refund`. */
  readonly name: string;
  readonly safety: SafetyClass;
  readonly auth: AuthKind<Input>;
  /** `false` for an operation that is never sent again although its class would allow it. */
  readonly retries?: boolean;
  /** How long to wait after a 429 that does not say it, in milliseconds. Default: a minute (open point 60). */
  readonly rateLimitMs?: number;
  /** @throws FieldFaults when the input cannot be sent. */
  request(input: Input): WireRequest;
  /** Reads a refusal that is a result to this operation; `undefined` leaves it an error. */
  decodeRefusal?(refusal: GatewayError, raw: unknown): Result | undefined;
  /** Reads a body that bears no sign of an error. @throws ShapeFault when it is not what the interface describes. */
  decode(body: ReadBody, input: Input): Result;
}
