import type { Simulator } from '../core/simulator';

/** A call of the control API as it came, with its JSON decoded. */
export interface ControlRequest {
  /** The decoded variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** `undefined` when there is no body. */
  readonly body: unknown;
  /** Aborted when the caller disconnects before the answer, or the simulator ends. */
  readonly signal: AbortSignal;
}

export type ControlAnswer =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'file'; readonly contentType: string; readonly bytes: string | Uint8Array };

/** One call of the control API. `GET /_simulator` and the README show the table of them. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/_simulator`, as Express reads it. */
  readonly path: string;
  /** The fields of the body or the query, in short; empty for none. */
  readonly takes: string;
  readonly does: string;
  /** @throws AppError, which is answered as `{error, details}` with the status of its code. */
  answer(simulator: Simulator, request: ControlRequest): ControlAnswer | Promise<ControlAnswer>;
}

export function json(body: unknown): ControlAnswer {
  return { kind: 'json', body };
}

/** Returns JSON that is already text. */
export function jsonText(bytes: string): ControlAnswer {
  return { kind: 'file', contentType: 'application/json; charset=utf-8', bytes };
}

/** CSV for a program, in UTF-8. */
export function csv(bytes: string): ControlAnswer {
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', bytes };
}
