import type { Simulator } from '../core/simulator';

/** A call of the control API as it came, with its JSON decoded. */
export interface ControlRequest {
  /** The decoded variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** `undefined` when there is no body. */
  readonly body: unknown;
  /** Aborted when the caller went away before the answer, also because the simulator ended. */
  readonly signal: AbortSignal;
}

export type ControlAnswer =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'file'; readonly contentType: string; readonly bytes: string | Uint8Array };

/** One thing that the control API can do. The table of these is also what `GET /_simulator` and the README show. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/_simulator`, as Express reads it. */
  readonly path: string;
  /** What is given in the body or the query, in short; empty for nothing. */
  readonly takes: string;
  readonly does: string;
  /** @throws AppError, which is answered as `{error, details}` with the status of its code. */
  answer(simulator: Simulator, request: ControlRequest): ControlAnswer | Promise<ControlAnswer>;
}

export function json(body: unknown): ControlAnswer {
  return { kind: 'json', body };
}

/** JSON that is text already. */
export function jsonText(bytes: string): ControlAnswer {
  return { kind: 'file', contentType: 'application/json; charset=utf-8', bytes };
}

/** CSV for a program, in UTF-8. */
export function csv(bytes: string): ControlAnswer {
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', bytes };
}
