import type { Page } from '../../page/page';
import { FEES_PAGE } from './fees-page';
import { RUN_PAGE } from './run-page';
import { RUNS_PAGE } from './runs-page';

export const RUN_PAGES: readonly Page[] = [RUNS_PAGE, RUN_PAGE, FEES_PAGE];
