import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { assert } from '../kernel';
import { sendProblem } from './responses';

/**
 * Lets a request pass when `verify` recognises its Authorization header. Stands before everything that looks at the
 * path or the body: a caller without a token learns nothing, whatever he sends. Every refusal is the same 403.
 */
export function guard<Caller extends object>(
  verify: (authorization: string | undefined) => Promise<Caller | undefined>,
): {
  handler: RequestHandler;
  callerOf(response: Response): Caller;
} {
  const callers = new WeakMap<Response, Caller>();
  return {
    async handler(request: Request, response: Response, next: NextFunction): Promise<void> {
      const caller = await verify(request.headers.authorization);
      if (caller === undefined) return sendProblem(response, 403, 'forbidden');
      callers.set(response, caller);
      next();
    },
    callerOf(response) {
      const caller = callers.get(response);
      assert(caller !== undefined, 'the guard stands before this route');
      return caller;
    },
  };
}
