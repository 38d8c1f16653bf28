import type { Page } from '../../page/page';
import { BREAK_PAGE } from './break-page';
import { BREAKS_PAGE } from './list-page';

export const BREAK_PAGES: readonly Page[] = [BREAKS_PAGE, BREAK_PAGE];
