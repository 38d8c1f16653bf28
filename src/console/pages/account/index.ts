import type { Page } from '../../page/page';
import { ENROLL_PAGE } from './enroll-page';
import { ME_PAGE } from './me-page';
import { NOTIFICATIONS_PAGE } from './notifications-page';

export const ACCOUNT_PAGES: readonly Page[] = [ME_PAGE, ENROLL_PAGE, NOTIFICATIONS_PAGE];
