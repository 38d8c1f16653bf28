import type { Page } from '../../page/page';
import { AUDIT_PAGE } from './audit-page';
import { KEY_LIST_PAGE } from './key-list-page';
import { OPERATIONS_PAGE } from './operations-page';
import { TOKEN_LIST_PAGE } from './token-list-page';
import { USER_LIST_PAGE } from './user-list-page';
import { USER_PAGE } from './user-page';
import { WEBHOOK_LIST_PAGE } from './webhook-list-page';
import { WEBHOOK_PAGE } from './webhook-page';

export const ADMINISTRATION_PAGES: readonly Page[] = [
  WEBHOOK_LIST_PAGE,
  WEBHOOK_PAGE,
  OPERATIONS_PAGE,
  AUDIT_PAGE,
  USER_LIST_PAGE,
  USER_PAGE,
  KEY_LIST_PAGE,
  TOKEN_LIST_PAGE,
];
