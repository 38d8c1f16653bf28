import type { Page } from '../../page/page';
import { PAYMENT_LIST_PAGE } from './list-page';
import { NEW_PAYMENT_PAGE } from './new-page';
import { PAYMENT_PAGE } from './payment-page';
import { SUBSCRIPTION_LIST_PAGE } from './subscription-list-page';
import { SUBSCRIPTION_PAGE } from './subscription-page';

export const PAYMENT_PAGES: readonly Page[] = [
  PAYMENT_LIST_PAGE,
  NEW_PAYMENT_PAGE,
  PAYMENT_PAGE,
  SUBSCRIPTION_LIST_PAGE,
  SUBSCRIPTION_PAGE,
];
