import type { Page } from '../../page/page';
import { CREDIT_PAGE } from './credit-page';
import { CREDITS_PAGE } from './list-page';
import { UNPAID_PAGE } from './unpaid-page';

export const CREDIT_PAGES: readonly Page[] = [CREDITS_PAGE, CREDIT_PAGE, UNPAID_PAGE];
