import type { GatewayClient, GatewayClientOptions } from '../../src/gateway';
import { createPausingClient } from '../../src/gateway/testing';

/** A client that sends a call again without the pause between two tries. */
export function aClient(options: GatewayClientOptions): GatewayClient {
  return createPausingClient(options, () => Promise.resolve());
}
