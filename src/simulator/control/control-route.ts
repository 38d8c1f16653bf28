import { formatInstant, type Instant } from '../../kernel';
import type { Simulator } from '../core/simulator';

/** A received call of the control API, with its JSON decoded. */
export interface ControlRequest {
  /** The decoded variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** `undefined` without a body. */
  readonly body: unknown;
  /** Aborted when the caller disconnects before the answer, or the simulator ends. */
  readonly signal: AbortSignal;
}

export type ControlAnswer =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'file'; readonly contentType: string; readonly bytes: string | Uint8Array };

/** One call of the control API. `GET /_simulator` and the README list all of them. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/_simulator`, as an Express pattern. */
  readonly path: string;
  /** A short list of the fields of the body or the query, if there are any. */
  readonly takes?: string;
  readonly does: string;
  /**
   * Answers the call.
   *
   * @throws AppError, answered as `{error, details}` with the status of its code.
   */
  answer(simulator: Simulator, request: ControlRequest): ControlAnswer | Promise<ControlAnswer>;
}

export function json(body: unknown): ControlAnswer {
  return { kind: 'json', body };
}

/** Returns the text of an instant in an answer. */
export function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** Answers with JSON that is already text. */
export function jsonText(bytes: string): ControlAnswer {
  return { kind: 'file', contentType: 'application/json; charset=utf-8', bytes };
}

/** Answers with CSV in UTF-8, for a program. */
export function csv(bytes: string): ControlAnswer {
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', bytes };
}
