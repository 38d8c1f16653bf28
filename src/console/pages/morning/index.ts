import type { Page } from '../../page/page';
import { EXPORTS_PAGE } from './exports-page';
import { FIGURES_PAGE } from './figures-page';
import { MORNING_PAGE } from './morning-page';
import { LEDGER_FILE_PAGE, REPORT_FILE_PAGE } from './report-files';
import { REPORTS_PAGE } from './reports-page';

export const MORNING_PAGES: readonly Page[] = [
  MORNING_PAGE,
  FIGURES_PAGE,
  REPORTS_PAGE,
  EXPORTS_PAGE,
  REPORT_FILE_PAGE,
  LEDGER_FILE_PAGE,
];
