import type { Download, Page } from '../../page/page';
import { EXPORTS_PAGE } from './exports-page';
import { FIGURES_PAGE } from './figures-page';
import { MORNING_PAGE } from './morning-page';
import { LEDGER_DOWNLOAD, REPORT_DOWNLOAD } from './report-files';
import { REPORTS_PAGE } from './reports-page';

export const MORNING_PAGES: readonly Page[] = [MORNING_PAGE, FIGURES_PAGE, REPORTS_PAGE, EXPORTS_PAGE];

export const MORNING_DOWNLOADS: readonly Download[] = [REPORT_DOWNLOAD, LEDGER_DOWNLOAD];
