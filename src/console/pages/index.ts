import type { Download, Page } from '../page/page';
import { ACCOUNT_PAGES } from './account';
import { ADMINISTRATION_PAGES } from './administration';
import { AGENT_PAGES } from './agents';
import { BANK_PAGES, STATEMENT_FILE } from './bank';
import { BREAK_PAGES } from './breaks';
import { CREDIT_PAGES } from './credits';
import { DAY_PAGES } from './days';
import { IMPORT_PAGES } from './imports';
import { MORNING_DOWNLOADS, MORNING_PAGES } from './morning';
import { PAYMENT_PAGES } from './payments';
import { PROPOSAL_PAGES } from './proposals';
import { RUN_PAGES } from './runs';

/** Every page of a person who signed in, in the order of the menu. */
export const PAGES: readonly Page[] = [
  ...MORNING_PAGES,
  ...AGENT_PAGES,
  ...CREDIT_PAGES,
  ...BREAK_PAGES,
  ...PROPOSAL_PAGES,
  ...PAYMENT_PAGES,
  ...IMPORT_PAGES,
  ...BANK_PAGES,
  ...DAY_PAGES,
  ...RUN_PAGES,
  ...ADMINISTRATION_PAGES,
  ...ACCOUNT_PAGES,
];

/** Every file that a link downloads. */
export const DOWNLOADS: readonly Download[] = [...MORNING_DOWNLOADS, STATEMENT_FILE];
