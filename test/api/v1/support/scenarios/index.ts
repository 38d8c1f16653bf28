import { AGENT_SCENARIOS } from './agents';
import { PAYMENT_SCENARIOS } from './payments';
import type { Scenarios } from './scenario';
import { SUBSCRIPTION_SCENARIOS } from './subscriptions';
import { WALLET_SCENARIOS } from './wallets';

/** A scenario for every operation. */
export const SCENARIOS: Scenarios = {
  ...AGENT_SCENARIOS,
  ...PAYMENT_SCENARIOS,
  ...SUBSCRIPTION_SCENARIOS,
  ...WALLET_SCENARIOS,
};
