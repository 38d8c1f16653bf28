import type { Page } from '../../page/page';

export const IMPORT_PAGES: readonly Page[] = [];
