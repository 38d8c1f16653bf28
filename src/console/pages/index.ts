import type { Download, Page } from '../page/page';
import { ACCOUNT_PAGES } from './account';
import { AGENT_PAGES } from './agents';
import { MORNING_DOWNLOADS, MORNING_PAGES } from './morning';

/** Every page of a person who signed in, in the order of the menu. */
export const PAGES: readonly Page[] = [...MORNING_PAGES, ...AGENT_PAGES, ...ACCOUNT_PAGES];

/** Every file that a link downloads. */
export const DOWNLOADS: readonly Download[] = [...MORNING_DOWNLOADS];
