/** A request as it goes over the wire, without its credential. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Starts with one slash; its variable parts are percent-encoded already. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Holds only what JSON can write. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Why there is no answer. */
export type WireFault =
  /** Refused, name not found, bad certificate, no time left: not one byte of the request left. */
  | 'not_sent'
  /** The connection was cut before the answer was whole. */
  | 'cut'
  /** The deadline of the call passed. */
  | 'timeout'
  /** The body is larger than any answer of the interface. */
  | 'too_large';

export type WireAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The decoded JSON; `undefined` when the body is none. */
      readonly body: unknown;
      /** What the header Retry-After says, in milliseconds. */
      readonly retryAfterMs: number | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly fault: WireFault;
      readonly status: number | undefined;
      /** The system's word for it (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) or ours; nothing that the other side wrote. */
      readonly reason?: string | undefined;
    };

/** Whether an id can be a segment of a path. To every reader of URLs a step up is one, percent-encoded or not. */
export function isPathSegment(id: string): boolean {
  return id !== '.' && id !== '..';
}

/** An id as one segment of a path: it is opaque, so everything that could end it is encoded (open point 57). */
export function pathSegment(id: string): string {
  return encodeURIComponent(id);
}
