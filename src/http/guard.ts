import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../kernel';
import type { Logger } from '../logging';
import { clientAddress, type IsTrustedProxy } from './client-address';
import { prove } from './connections';
import { RateCounter } from './rate-counter';
import { sendProblem } from './responses';

/**
 * Up to this number of refusals in a minute are logged one by one. Beyond it, each refusal also closes the connection.
 */
export const REFUSALS_PER_MINUTE_MAX = 30;

export interface GuardDeps<Caller> {
  /** `isQuiet`: returns whether a refusal need not be logged. */
  readonly verify: (
    authorization: string | undefined,
    options: { readonly isQuiet: () => boolean },
  ) => Promise<Caller | undefined>;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly logger: Logger;
  readonly monotonic: Clock;
}

/** Returns the caller of a request; undefined if it was refused and has its answer. */
export type Guard<Caller> = (request: IncomingMessage, response: ServerResponse) => Promise<Caller | undefined>;

/**
 * Admits a request if `verify` recognizes its Authorization header. It runs before everything that reads the path or
 * the body, so a caller without a token learns nothing. Every refusal is the same 403.
 *
 * Only refusals are counted and limited, by address (open point 96). A valid token is always admitted, because the
 * gateway may share its address with a stranger.
 */
export function guard<Caller extends object>({
  verify,
  isTrustedProxy,
  logger,
  monotonic,
}: GuardDeps<Caller>): Guard<Caller> {
  const refusals = new RateCounter(monotonic);

  function refuse(response: ServerResponse, address: string): void {
    const { inWindow, inLastWindow } = refusals.count(address);
    if (inWindow > REFUSALS_PER_MINUTE_MAX) response.setHeader('Connection', 'close');
    if (inWindow === REFUSALS_PER_MINUTE_MAX + 1) {
      logger.warn('token refusals of one address suppressed', {
        event: 'http.refusals_limited',
        clientAddress: address,
        refusedInLastMinute: inLastWindow,
      });
    }
    sendProblem(response, 403, 'forbidden');
  }

  return async (request, response) => {
    const isQuiet = (): boolean => refusals.soFar(clientAddress(request, isTrustedProxy)) >= REFUSALS_PER_MINUTE_MAX;
    const caller = await verify(authorizationOf(request), { isQuiet });
    if (caller === undefined) refuse(response, clientAddress(request, isTrustedProxy));
    else prove(request.socket);
    return caller;
  };
}

/**
 * Returns the Authorization header of a request. Joins repeated headers, which makes the token invalid. Otherwise Node would use the first one and a proxy perhaps the
 * second.
 */
export function authorizationOf(request: IncomingMessage): string | undefined {
  return request.headersDistinct['authorization']?.join(', ');
}
