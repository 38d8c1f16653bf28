import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { type AppErrorCode, isAppError } from '../kernel';
import type { Logger } from '../logging';
import { pathOf } from './request-path';
import { sendProblem } from './responses';

/** Maps faults to statuses. An internal fault is 503: never a business answer, and never a final one. */
const STATUS: Readonly<Record<AppErrorCode, number>> = {
  bad_input: 400,
  not_found: 404,
  conflict: 409,
  forbidden: 403,
  misconfigured: 503,
  unavailable: 503,
  outcome_unknown: 503,
  storage_broken: 503,
  interrupted: 503,
  duplicate_key: 503,
  internal: 503,
};

/** Refusals of Express and of `RequestRefused`, by status; their messages are not sent. */
const REFUSAL: Readonly<Record<number, string>> = {
  400: 'bad_request',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
};

/** Answers a path that does not exist. */
export function notFound(_request: IncomingMessage, response: ServerResponse): void {
  sendProblem(response, 404, 'not_found');
}

/** Answers a path that exists for other methods. */
export function methodNotAllowed(allow: string): (request: IncomingMessage, response: ServerResponse) => void {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    sendProblem(response, 405, 'method_not_allowed');
  };
}

/** Answers a request whose handler failed: every error becomes JSON, and Millime's own faults are logged. */
export function answerError(error: unknown, request: IncomingMessage, response: ServerResponse, logger: Logger): void {
  if (response.headersSent) return breakOff(error, request, response, logger);
  const refused = refusalStatus(error);
  if (refused !== undefined) return sendProblem(response, refused, REFUSAL[refused] ?? 'bad_request');
  const status = isAppError(error) ? STATUS[error.code] : 503;
  if (status >= 500) {
    const expected = isAppError(error, 'unavailable', 'outcome_unknown');
    logger[expected ? 'warn' : 'error']('request not answered', {
      event: 'http.failed',
      ...asked(request),
      // An outage is one fault, logged where it happens; a stack trace for each call would hide the rest of the log.
      ...(expected ? { reason: error.code } : { error }),
    });
  }
  return sendProblem(response, status, isAppError(error) && status < 500 ? error.code : 'unavailable');
}

/** Answers the errors of an Express application; it comes last. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => answerError(error, request, response, logger);
}

/**
 * Closes the connection, so that half an answer does not appear complete. Express would also close it, but print the
 * error outside Millime's log.
 */
function breakOff(error: unknown, request: IncomingMessage, response: ServerResponse, logger: Logger): void {
  logger.error('response failed after it began', { event: 'http.failed', ...asked(request), error });
  if (!response.writableEnded) request.socket.destroy();
}

function asked(request: IncomingMessage): { readonly method: string | undefined; readonly route: string | undefined } {
  return { method: request.method, route: pathOf(request.url)?.split('/').slice(0, 3).join('/') };
}

/** Returns the status of a refusal of Express or of `RequestRefused`; undefined for another error. */
export function refusalStatus(error: unknown): number | undefined {
  if (error instanceof URIError) return 400;
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, expose } = error as { status?: unknown; expose?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 && expose === true ? status : undefined;
}
