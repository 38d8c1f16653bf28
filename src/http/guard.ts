import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { assert, type Clock } from '../kernel';
import type { Logger } from '../logging';
import { clientAddress } from './client-address';
import { prove } from './connections';
import { RateCounter } from './rate-counter';
import { sendProblem } from './responses';

/** So many refusals in a minute are told one by one to the log; then the address loses its connection with each. */
export const REFUSALS_PER_MINUTE_MAX = 30;

export interface GuardDeps<Caller> {
  /** `quiet`: what is refused need not be told to the log. */
  readonly verify: (
    authorization: string | undefined,
    options: { readonly quiet: boolean },
  ) => Promise<Caller | undefined>;
  readonly logger: Logger;
  readonly monotonic: Clock;
}

/**
 * Lets a request pass when `verify` recognizes its Authorization header. Runs before everything that reads the
 * path or the body: a caller without a token learns nothing. Every refusal is the same 403.
 *
 * Refusals are counted by address (open point 96), and only they are limited: a good token is let in from everywhere,
 * because the gateway may share its address with a stranger.
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

/** Refuses two headers: Node would take the first and a proxy perhaps the second. Joined, they are not a token. */
function authorizationOf(request: Request): string | undefined {
  return request.headersDistinct['authorization']?.join(', ');
}
