import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { assert, type Clock } from '../kernel';
import type { Logger } from '../logging';
import { clientAddress } from './client-address';
import { prove } from './connections';
import { RateCounter } from './rate-counter';
import { sendProblem } from './responses';

/**
 * Up to this number of refusals in a minute are logged one by one. Beyond it, each refusal also closes the connection.
 */
export const REFUSALS_PER_MINUTE_MAX = 30;

export interface GuardDeps<Caller> {
  /** `quiet`: refusals need not be logged. */
  readonly verify: (
    authorization: string | undefined,
    options: { readonly quiet: boolean },
  ) => Promise<Caller | undefined>;
  readonly logger: Logger;
  readonly monotonic: Clock;
}

/**
 * Admits a request if `verify` recognizes its Authorization header. It runs before everything that reads the path or
 * the body, so a caller without a token learns nothing. Every refusal is the same 403.
 *
 * Only refusals are counted and limited, by address (open point 96). A valid token is always admitted, because the
 * gateway may share its address with a stranger.
 */
export function guard<Caller extends object>({
  verify,
  logger,
  monotonic,
}: GuardDeps<Caller>): {
  handler: RequestHandler;
  callerOf(response: Response): Caller;
} {
  const callers = new WeakMap<Response, Caller>();
  const refusals = new RateCounter(monotonic);

  function refuse(response: Response, address: string): void {
    const { inWindow, inLastWindow } = refusals.count(address);
    if (inWindow > REFUSALS_PER_MINUTE_MAX) response.set('Connection', 'close');
    if (inWindow === REFUSALS_PER_MINUTE_MAX + 1) {
      logger.warn('token refusals of one address suppressed', {
        event: 'http.refusals_limited',
        clientAddress: address,
        refusedInLastMinute: inLastWindow,
      });
    }
    sendProblem(response, 403, 'forbidden');
  }

  return {
    async handler(request: Request, response: Response, next: NextFunction): Promise<void> {
      const address = clientAddress(request);
      const quiet = refusals.soFar(address) >= REFUSALS_PER_MINUTE_MAX;
      const caller = await verify(authorizationOf(request), { quiet });
      if (caller === undefined) return refuse(response, address);
      prove(request.socket);
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

/**
 * Joins repeated headers, which makes the token invalid. Otherwise Node would use the first one and a proxy perhaps the
 * second.
 */
function authorizationOf(request: Request): string | undefined {
  return request.headersDistinct['authorization']?.join(', ');
}
