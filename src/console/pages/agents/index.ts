import type { Page } from '../../page/page';
import { AGENT_PAGE } from './agent-page';
import { AGENT_LIST_PAGE } from './list-page';
import { SEARCH_PAGE } from './search-page';

export const AGENT_PAGES: readonly Page[] = [SEARCH_PAGE, AGENT_LIST_PAGE, AGENT_PAGE];
