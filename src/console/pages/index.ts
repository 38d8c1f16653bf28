import type { Page } from '../page/page';
import { ACCOUNT_PAGES } from './account';
import { ADMINISTRATION_PAGES } from './administration';
import { AGENT_PAGES } from './agents';
import { IMPORT_PAGES } from './imports';
import { PAYMENT_PAGES } from './payments';

/** Every page of a person who signed in, in the order of the menu. */
export const PAGES: readonly Page[] = [
  ...AGENT_PAGES,
  ...IMPORT_PAGES,
  ...PAYMENT_PAGES,
  ...ADMINISTRATION_PAGES,
  ...ACCOUNT_PAGES,
];
