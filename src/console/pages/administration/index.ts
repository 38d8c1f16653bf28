import type { Page } from '../../page/page';

export const ADMINISTRATION_PAGES: readonly Page[] = [];
