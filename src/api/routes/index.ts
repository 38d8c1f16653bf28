import { ADMINISTRATION_ROUTES } from './administration';
import { AGENT_ROUTES } from './agents';
import { BANK_ROUTES } from './bank';
import { BANK_UPLOAD_ROUTES } from './bank-uploads';
import { BREAK_ROUTES } from './breaks';
import { CREDIT_ROUTES } from './credits';
import { DAY_ROUTES } from './days';
import { NOTIFICATION_ROUTES } from './notifications';
import { PAYMENT_ROUTES } from './payments';
import { PROPOSAL_ROUTES } from './proposals';
import { REPORT_AND_LEDGER_ROUTES } from './reports';
import { RUN_ROUTES } from './runs';
import { SUBSCRIPTION_ROUTES } from './subscriptions';
import { USER_ROUTES } from './users';
import { WALLET_ROUTES } from './wallets';
import { WEBHOOK_ROUTES } from './webhooks';

/** Every operation of the API, in the order of its documentation. */
export const ROUTES = [
  ...AGENT_ROUTES,
  ...PAYMENT_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...WALLET_ROUTES,
  ...BANK_ROUTES,
  ...BANK_UPLOAD_ROUTES,
  ...CREDIT_ROUTES,
  ...RUN_ROUTES,
  ...BREAK_ROUTES,
  ...PROPOSAL_ROUTES,
  ...DAY_ROUTES,
  ...REPORT_AND_LEDGER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...ADMINISTRATION_ROUTES,
  ...USER_ROUTES,
  ...NOTIFICATION_ROUTES,
];
