import type { GatewayClient } from '../gateway';
import { AppError } from '../kernel';
import type { PaymentsDeps } from './payments';

/**
 * The gateway's client, for what cannot be done without it.
 *
 * @throws AppError `misconfigured`, which names the variables, when this installation has no credential.
 */
export function requireGateway({ gateway }: Pick<PaymentsDeps, 'gateway'>): GatewayClient {
  if (gateway === undefined) {
    throw new AppError(
      'misconfigured',
      'GATEWAY_BASE_URL, GATEWAY_PUBLIC_KEY, GATEWAY_PRIVATE_KEY: not all set; taking money is off',
    );
  }
  return gateway;
}
