import type { EncodedAnswer } from '../operation/encode-answer';
import type { RouteInput } from '../operation/route';
import type { CarriedFault } from './carried-fault';

/** The operation that a thread performs, with its parsed input. */
export interface ThreadTask {
  readonly operationId: string;
  readonly input: RouteInput<unknown, unknown, unknown>;
}

/** What a thread answers. */
export type ThreadReply = { readonly answer: EncodedAnswer } | { readonly fault: CarriedFault };

/** A line of the log, which the main thread writes. */
export interface ThreadLog {
  readonly log: {
    readonly level: 'error' | 'warn' | 'info' | 'debug';
    readonly message: string;
    readonly fields: Readonly<Record<string, unknown>>;
  };
}
