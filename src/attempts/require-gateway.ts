import type { GatewayClient } from '../gateway';
import { AppError } from '../kernel';
import type { CollectingDeps } from './collecting';

/**
 * Returns the gateway's client.
 *
 * @throws AppError `misconfigured`, which names the variables, when this installation has no credential.
 */
export function requireGateway({ gateway }: Pick<CollectingDeps, 'gateway'>): GatewayClient {
  if (gateway === undefined) {
    throw new AppError('misconfigured', {
      field: 'GATEWAY_BASE_URL, GATEWAY_PUBLIC_KEY, GATEWAY_PRIVATE_KEY',
      fault: 'not all set',
      fix: 'set all three to collect payments',
    });
  }
  return gateway;
}
