/** A request as it goes over the wire, without its credential. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Starts with one slash; variable parts are already percent-encoded. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Contains only values that JSON can represent. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Why no answer arrived. */
export type WireFault =
  /** Refused, name not found, bad certificate, no time left: not one byte of the request left. */
  | 'not_sent'
  /** The connection closed before the answer was complete. */
  | 'cut'
  /** The deadline of the call passed. */
  | 'timeout'
  /** The body is larger than any answer of the interface. */
  | 'too_large';

export type WireAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The decoded JSON; `undefined` when the body is not JSON. */
      readonly body: unknown;
      /** The time in the Retry-After header, in milliseconds. */
      readonly retryAfterMs: number | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly fault: WireFault;
      readonly status: number | undefined;
      /**
       * The system's code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) or a text of Millime; never a text of the other side.
       */
      readonly reason?: string | undefined;
    };

/**
 * Returns whether an id can be one segment of a path. URL parsers read `.` and `..` as steps, even percent-encoded
 * ones.
 */
export function isPathSegment(id: string): boolean {
  return id !== '.' && id !== '..';
}

/**
 * Encodes an opaque id as one path segment, with every character that could end the segment escaped (open point 57).
 */
export function pathSegment(id: string): string {
  return encodeURIComponent(id);
}
