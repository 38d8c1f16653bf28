import { fieldErrors, good, goodPage, messageError } from '../core/answers';
import type { SimAnswer, SimOperation, SimRequest } from '../core/operation';
import { findSubscription } from './find-subscription';
import { chargeBody, subscriptionBody } from './subscription-body';

const PAGE_MAX = 1_000_000;
const PAGE_SIZE = { max: 100, otherwise: 10 } as const;

/** Get Subscription (interface section 4.2). */
export const retrieveSubscriptionOperation: SimOperation = {
  name: 'subscriptions.retrieve',
  method: 'GET',
  path: '/api/v2/subscriptions/:subscription_id',
  auth: 'app',
  answer(simulation, request) {
    const subscription = findSubscription(simulation, request.params['subscription_id'] ?? '');
    if (subscription === undefined) return notFound();
    return good(subscriptionBody(simulation, request, subscription), { beside: { success: true } });
  },
};

/** List Charges (interface section 4.2), newest first. A page after the last one is empty. */
export const listChargesOperation: SimOperation = {
  name: 'subscriptions.listCharges',
  method: 'GET',
  path: '/api/v2/subscriptions/:subscription_id/charges',
  auth: 'app',
  answer(simulation, request) {
    const subscription = findSubscription(simulation, request.params['subscription_id'] ?? '');
    if (subscription === undefined) return notFound();
    const page = readWhole(request, 'page', { max: PAGE_MAX, otherwise: 1 });
    const pageSize = readWhole(request, 'page_size', PAGE_SIZE);
    if (page === undefined || pageSize === undefined) {
      return fieldErrors({
        ...(page === undefined ? { page: [`Must be between 1 and ${PAGE_MAX}.`] } : {}),
        ...(pageSize === undefined ? { page_size: [`Must be between 1 and ${PAGE_SIZE.max}.`] } : {}),
      });
    }
    const newestFirst = subscription.charges.toReversed();
    const count = newestFirst.length;
    const shown = newestFirst.slice((page - 1) * pageSize, page * pageSize);
    return goodPage({
      count,
      next: page * pageSize < count ? pageUrl(request, { subscription, page: page + 1, pageSize }) : null,
      previous: page > 1 ? pageUrl(request, { subscription, page: page - 1, pageSize }) : null,
      results: shown.map((charge) => chargeBody(simulation, charge)),
    });
  },
};

function notFound(): SimAnswer {
  return messageError(404, 'subscription_not_found');
}

function readWhole(
  { query }: SimRequest,
  name: string,
  { max, otherwise }: { readonly max: number; readonly otherwise: number },
): number | undefined {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= max ? value : undefined;
}

interface PageOfCharges {
  readonly subscription: { readonly subscriptionId: string };
  readonly page: number;
  readonly pageSize: number;
}

/** Returns a URL for `next`. The interface does not define its content (open point 63); a whole URL is usual. */
function pageUrl({ headers }: SimRequest, { subscription, page, pageSize }: PageOfCharges): string {
  const path = `/api/v2/subscriptions/${subscription.subscriptionId}/charges?page=${page}&page_size=${pageSize}`;
  return headers.host === undefined ? path : `http://${headers.host}${path}`;
}
