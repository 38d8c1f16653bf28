import type { Page } from '../../page/page';
import { DAY_PAGE } from './day-page';
import { DAYS_PAGE } from './days-page';

export const DAY_PAGES: readonly Page[] = [DAYS_PAGE, DAY_PAGE];
