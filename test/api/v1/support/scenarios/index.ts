import { ADMINISTRATION_SCENARIOS } from './administration';
import { AGENT_SCENARIOS } from './agents';
import { BANK_SCENARIOS } from './bank';
import { BREAK_SCENARIOS } from './breaks';
import { CREDIT_SCENARIOS } from './credits';
import { DAY_SCENARIOS } from './days';
import { NOTIFICATION_SCENARIOS } from './notifications';
import { PAYMENT_SCENARIOS } from './payments';
import { PROPOSAL_SCENARIOS } from './proposals';
import { REPORT_SCENARIOS } from './reports';
import { RUN_SCENARIOS } from './runs';
import type { Scenarios } from './scenario';
import { SUBSCRIPTION_SCENARIOS } from './subscriptions';
import { USER_SCENARIOS } from './users';
import { WALLET_SCENARIOS } from './wallets';
import { WEBHOOK_SCENARIOS } from './webhooks';

/** A scenario for every operation. */
export const SCENARIOS: Scenarios = {
  ...AGENT_SCENARIOS,
  ...PAYMENT_SCENARIOS,
  ...SUBSCRIPTION_SCENARIOS,
  ...WALLET_SCENARIOS,
  ...BANK_SCENARIOS,
  ...CREDIT_SCENARIOS,
  ...RUN_SCENARIOS,
  ...BREAK_SCENARIOS,
  ...PROPOSAL_SCENARIOS,
  ...DAY_SCENARIOS,
  ...REPORT_SCENARIOS,
  ...WEBHOOK_SCENARIOS,
  ...ADMINISTRATION_SCENARIOS,
  ...USER_SCENARIOS,
  ...NOTIFICATION_SCENARIOS,
};
