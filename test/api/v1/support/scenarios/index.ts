import { ADMINISTRATION_SCENARIOS } from './administration';
import { AGENT_SCENARIOS } from './agents';
import { BANK_SCENARIOS } from './bank';
import { PAYMENT_SCENARIOS } from './payments';
import { REPORT_SCENARIOS } from './reports';
import type { Scenarios } from './scenario';
import { SUBSCRIPTION_SCENARIOS } from './subscriptions';
import { WALLET_SCENARIOS } from './wallets';
import { WEBHOOK_SCENARIOS } from './webhooks';

/** A scenario for every operation. */
export const SCENARIOS: Scenarios = {
  ...AGENT_SCENARIOS,
  ...PAYMENT_SCENARIOS,
  ...SUBSCRIPTION_SCENARIOS,
  ...WALLET_SCENARIOS,
  ...BANK_SCENARIOS,
  ...REPORT_SCENARIOS,
  ...WEBHOOK_SCENARIOS,
  ...ADMINISTRATION_SCENARIOS,
};
