import type { Page } from '../../page/page';
import { PROPOSALS_PAGE } from './list-page';
import { PROPOSAL_PAGE } from './proposal-page';

export const PROPOSAL_PAGES: readonly Page[] = [PROPOSALS_PAGE, PROPOSAL_PAGE];
