import type { CallBudget } from '../budget/call-budget';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import type { Operation } from '../operation';
import { decodePage, eachOfPages, type Page } from '../pages';
import { pathSegment } from '../transport/wire';
import { type Charge, decodeCharge } from './charge';
import { type CreatedSubscription, type CreateSubscription, createSubscription } from './create-subscription';
import { decodeSubscription, type Subscription } from './subscription';

const PAGE_SIZE_MAX = 100;

/** Recurring subscriptions (interface section 4.2). */
export interface Subscriptions {
  /**
   * Create Subscription. Class B: `developerTrackingId` is its key. If the gateway reports that the id is taken, the
   * client reads the existing subscription and compares its terms. The same terms are a success with `duplicate: true`.
   *
   * @throws GatewayError `conflict` when the existing one has other terms, `duplicate_tracking_id` when it could not be
   * read; both name it in `existing`; `rate_limited` beyond 60 a minute; `validation`, `refused`
   * (`card_recurring_not_enabled` …), `permission` (`merchant_not_allowed` …), `unavailable`
   * (`recurring_payments_disabled`: minutes), `connection`, `timeout`.
   */
  create(input: CreateSubscription): Promise<CreatedSubscription>;
  /**
   * Get Subscription.
   *
   * @throws GatewayError `not_found` also for a subscription of another merchant.
   */
  retrieve(subscriptionId: string): Promise<Subscription>;
  /**
   * List Charges: yields the charges of all pages, newest first, each once. `pageSize` is 1 to 100; default 100.
   *
   * @throws GatewayError `unexpected_shape` after the last charge if fewer charges arrived than the gateway counted.
   */
  listCharges(
    subscriptionId: string,
    options?: { readonly pageSize?: number },
  ): AsyncGenerator<Charge, void, undefined>;
}

export function createSubscriptions(caller: Caller, budget: CallBudget, timeoutMs: number): Subscriptions {
  const retrieve = async (subscriptionId: string, options: { readonly timeoutMs: number }): Promise<Subscription> =>
    caller.run(retrieveOperation, subscriptionId, options);
  return {
    create: async (input) => createSubscription({ caller, budget, retrieve, timeoutMs }, input),
    retrieve: async (subscriptionId) => retrieve(subscriptionId, { timeoutMs }),
    listCharges: async function* (subscriptionId, given) {
      const options = copyInput(chargesOperation.name, given) ?? {};
      yield* eachOfPages({
        operation: chargesOperation.name,
        fetchPage: async (page) => caller.run(chargesOperation, { subscriptionId, page, options }),
        keyOf: ({ paymentId }) => paymentId,
      });
    },
  };
}

const retrieveOperation: Operation<string, Subscription> = {
  name: 'subscriptions.retrieve',
  safety: 'A',
  auth: 'app',
  request(subscriptionId) {
    const check = new InputCheck({ subscriptionId });
    check.id('subscriptionId');
    check.done();
    return { method: 'GET', path: `/api/v2/subscriptions/${pathSegment(subscriptionId)}` };
  },
  decode: (body, subscriptionId) => {
    const subscription = decodeSubscription(body.object('result'), body.raw);
    // An answer about another subscription proves nothing about this one (S14).
    if (subscription.subscriptionId !== subscriptionId) throw body.fault('result', 'is another subscription');
    return subscription;
  },
};

interface ChargesPage {
  readonly subscriptionId: string;
  readonly page: number;
  readonly options: { readonly pageSize?: number };
}

const chargesOperation: Operation<ChargesPage, Page<Charge>> = {
  name: 'subscriptions.listCharges',
  safety: 'A',
  auth: 'app',
  request({ subscriptionId: id, page, options }) {
    const check = new InputCheck({ ...options, subscriptionId: id });
    const subscriptionId = check.id('subscriptionId');
    const { page_size: pageSize = PAGE_SIZE_MAX } = check.given('pageSize', 'page_size', (name) =>
      check.whole(name, 1, PAGE_SIZE_MAX),
    );
    check.done();
    return {
      method: 'GET',
      path: `/api/v2/subscriptions/${pathSegment(subscriptionId)}/charges`,
      query: [
        ['page', String(page)],
        ['page_size', String(pageSize)],
      ],
    };
  },
  decode: (body, { options: { pageSize = PAGE_SIZE_MAX } }) => decodePage(body, pageSize, decodeCharge),
};
