import type { IncomingMessage, ServerResponse } from 'node:http';

/** The route of a request that no route answers. */
export const OTHER_ROUTE = 'other';

/** One answered request, as metrics count it. */
export interface AnsweredRequest {
  /** The template of its path, such as `/service/check/{agentId}`, or `OTHER_ROUTE`; never the path itself. */
  readonly route: string;
  readonly method: string | undefined;
  readonly status: number;
  /** From the first call of its handler to its last byte. */
  readonly seconds: number;
}

export type ObserveRequest = (answered: AnsweredRequest) => void;

/** Calls `observe` when the request has its answer. A request whose connection ended before is not counted. */
export function observeAnswer(
  { method }: IncomingMessage,
  response: ServerResponse,
  route: string,
  observe: ObserveRequest,
): void {
  const startedAt = performance.now();
  response.once('close', () => {
    if (!response.headersSent) return;
    observe({ route, method, status: response.statusCode, seconds: (performance.now() - startedAt) / 1_000 });
  });
}
