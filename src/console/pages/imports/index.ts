import type { Page } from '../../page/page';
import { IMPORT_AGENTS_PAGE, IMPORT_DUES_PAGE, IMPORT_PAYMENTS_PAGE, IMPORT_SUBSCRIPTIONS_PAGE } from './import-page';

export const IMPORT_PAGES: readonly Page[] = [
  IMPORT_AGENTS_PAGE,
  IMPORT_DUES_PAGE,
  IMPORT_PAYMENTS_PAGE,
  IMPORT_SUBSCRIPTIONS_PAGE,
];
