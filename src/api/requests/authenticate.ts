import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  authorizationOf,
  clientAddress,
  type IsTrustedProxy,
  prove,
  RateCounter,
  REFUSALS_PER_MINUTE_MAX,
} from '../../http';
import type { Identity } from '../../identity';
import type { Clock } from '../../kernel';
import type { Logger } from '../../logging';
import { ApiRefusal } from '../operation/problem';
import type { Exchange } from './answer-request';

/** Returns the owner of the key of a request. @throws ApiRefusal `unauthenticated`, the same for every reason. */
export type Authenticate = (request: IncomingMessage, response: ServerResponse) => Promise<Exchange['owner']>;

export interface AuthenticateDeps {
  readonly identity: Pick<Identity, 'authenticate'>;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly logger: Logger;
  readonly monotonic: Clock;
}

/** Creates the check of API keys. Refusals are counted by address: beyond a number in a minute each closes its connection. */
export function authenticateRequests({ identity, isTrustedProxy, logger, monotonic }: AuthenticateDeps): Authenticate {
  const refusals = new RateCounter(monotonic);
  return async (request, response) => {
    const [, keyText] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(authorizationOf(request) ?? '') ?? [];
    const actor = keyText === undefined ? undefined : await identity.authenticate(keyText);
    if (actor?.kind === 'api_key') {
      prove(request.socket);
      return actor;
    }
    const address = clientAddress(request, isTrustedProxy);
    const { inWindow, inLastWindow } = refusals.count(address);
    if (inWindow > REFUSALS_PER_MINUTE_MAX) response.setHeader('Connection', 'close');
    else logger.info('request without an active key refused', { event: 'api.refused', clientAddress: address });
    if (inWindow === REFUSALS_PER_MINUTE_MAX + 1) {
      logger.warn('key refusals of one address suppressed', {
        event: 'api.refusals_limited',
        clientAddress: address,
        refusedInLastMinute: inLastWindow,
      });
    }
    throw new ApiRefusal('unauthenticated', 'Authorization: expected Bearer and an active API key', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  };
}
