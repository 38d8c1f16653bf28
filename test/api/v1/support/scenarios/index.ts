import { AGENT_SCENARIOS } from './agents';
import { BREAK_SCENARIOS } from './breaks';
import { CREDIT_SCENARIOS } from './credits';
import { DAY_SCENARIOS } from './days';
import { PAYMENT_SCENARIOS } from './payments';
import { PROPOSAL_SCENARIOS } from './proposals';
import { RUN_SCENARIOS } from './runs';
import type { Scenarios } from './scenario';
import { SUBSCRIPTION_SCENARIOS } from './subscriptions';
import { WALLET_SCENARIOS } from './wallets';

/** A scenario for every operation. */
export const SCENARIOS: Scenarios = {
  ...AGENT_SCENARIOS,
  ...PAYMENT_SCENARIOS,
  ...SUBSCRIPTION_SCENARIOS,
  ...WALLET_SCENARIOS,
  ...CREDIT_SCENARIOS,
  ...RUN_SCENARIOS,
  ...BREAK_SCENARIOS,
  ...PROPOSAL_SCENARIOS,
  ...DAY_SCENARIOS,
};
