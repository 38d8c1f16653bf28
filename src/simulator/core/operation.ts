import type { IncomingHttpHeaders } from 'node:http';
import type { Simulation } from './simulation';

/** A call as it came, with its body decoded. */
export interface SimRequest {
  readonly method: string;
  /** The decoded variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The decoded JSON body; `undefined` when there is none. */
  readonly body: unknown;
}

export interface SimAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Which credential a call must bring (interface section 5); `session` is checked by the operation itself. */
export type SimAuth = 'app' | 'api_key' | 'session';

/** One operation of the gateway: its path and its answer. It changes the world immediately and waits for nothing. */
export interface SimOperation {
  /** The name that the client of this project gives it; a fault is set for an operation by this name. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** As Express reads it: `/api/v2/verify_payment/:payment_id`. */
  readonly path: string;
  readonly auth: SimAuth;
  answer(simulation: Simulation, request: SimRequest): SimAnswer;
}
