import type { Page } from '../page/page';
import { ACCOUNT_PAGES } from './account';
import { AGENT_PAGES } from './agents';

/** Every page of a person who signed in, in the order of the menu. */
export const PAGES: readonly Page[] = [...AGENT_PAGES, ...ACCOUNT_PAGES];
