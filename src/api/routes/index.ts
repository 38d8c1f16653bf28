import type { Route } from '../route';
import { ADMINISTRATION_ROUTES } from './administration';
import { AGENT_ROUTES } from './agents';
import { BANK_ROUTES } from './bank';
import { BANK_UPLOAD_ROUTES } from './bank-uploads';
import { PAYMENT_ROUTES } from './payments';
import { REPORT_AND_LEDGER_ROUTES } from './reports';
import { WEBHOOK_ROUTES } from './webhooks';

/** Every operation of the API, in the order of its documentation. */
export const ROUTES: readonly Route[] = [
  ...AGENT_ROUTES,
  ...PAYMENT_ROUTES,
  ...BANK_ROUTES,
  ...BANK_UPLOAD_ROUTES,
  ...REPORT_AND_LEDGER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...ADMINISTRATION_ROUTES,
];
