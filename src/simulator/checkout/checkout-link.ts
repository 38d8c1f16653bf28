import type { SimRequest } from '../core/operation';

/** The path of a payment's page, as an Express pattern. */
export const CHECKOUT_PAGE_PATH = '/pay/:payment_id';

const HOST = /^[A-Za-z0-9.:[\]-]{1,255}$/;

/** Returns the link of the page on which the customer pays, on the host by which the caller reached the simulator. */
export function checkoutLink({ headers }: SimRequest, paymentId: string): string {
  const host = headers.host ?? '';
  const page = CHECKOUT_PAGE_PATH.replace(':payment_id', encodeURIComponent(paymentId));
  return `http://${HOST.test(host) ? host : 'localhost'}${page}`;
}
