import type { IncomingHttpHeaders } from 'node:http';
import type { Simulation } from './simulation';

/** A received call, with its body decoded. */
export interface SimRequest {
  readonly method: string;
  /** The decoded variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The decoded JSON body; `undefined` without one. */
  readonly body: unknown;
}

export interface SimAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The credential that a call must contain (interface section 5); the operation itself checks `session`. */
export type SimAuth = 'app' | 'api_key' | 'session';

/** One operation of the gateway: its path and its answer. It changes the world immediately and waits for nothing. */
export interface SimOperation {
  /** The gateway client's name of the operation; faults are set by this name. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** An Express pattern: `/api/v2/verify_payment/:payment_id`. */
  readonly path: string;
  readonly auth: SimAuth;
  answer(simulation: Simulation, request: SimRequest): SimAnswer;
}
