import type { Page } from '../page/page';
import { ACCOUNT_PAGES } from './account';
import { AGENT_PAGES } from './agents';
import { BREAK_PAGES } from './breaks';
import { CREDIT_PAGES } from './credits';
import { PROPOSAL_PAGES } from './proposals';

/** Every page of a person who signed in, in the order of the menu. */
export const PAGES: readonly Page[] = [
  ...AGENT_PAGES,
  ...CREDIT_PAGES,
  ...BREAK_PAGES,
  ...PROPOSAL_PAGES,
  ...ACCOUNT_PAGES,
];
