import type { Page } from '../page/page';
import { ACCOUNT_PAGES } from './account';
import { AGENT_PAGES } from './agents';
import { BANK_PAGES } from './bank';
import { DAY_PAGES } from './days';
import { RUN_PAGES } from './runs';

/** Every page of a person who signed in, in the order of the menu. */
export const PAGES: readonly Page[] = [...AGENT_PAGES, ...BANK_PAGES, ...DAY_PAGES, ...RUN_PAGES, ...ACCOUNT_PAGES];
