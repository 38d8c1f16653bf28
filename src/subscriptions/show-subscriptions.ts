import { AppError, isOutsideId } from '../kernel';
import type { PaymentsDeps } from '../payments';
import { openChargeBook } from './charge-store';
import { openSubscriptionBook } from './subscription-store';
import type { ChargeMirror, SubscriptionFilter, SubscriptionMirror } from './subscriptions';

export async function listSubscriptions(
  { database }: Pick<PaymentsDeps, 'database'>,
  filter: SubscriptionFilter,
): Promise<SubscriptionMirror[]> {
  return database.read((session) => openSubscriptionBook(session).list(filter));
}

/**
 * A subscription with its charges, the newest first: by our tracking id, by the gateway's id, or the live or newest one of a
 * reference.
 *
 * @throws AppError `not_found`.
 */
export async function showSubscription(
  { database }: Pick<PaymentsDeps, 'database'>,
  id: string,
): Promise<{ readonly subscription: SubscriptionMirror; readonly charges: readonly ChargeMirror[] }> {
  return database.read(
    async (session) => {
      const book = openSubscriptionBook(session);
      const subscription = isOutsideId(id)
        ? ((await book.find(id)) ?? (await book.bySubscriptionId(id)) ?? (await book.ofReferences([id])).get(id))
        : undefined;
      if (subscription === undefined) throw new AppError('not_found', `no subscription ${JSON.stringify(id)}`);
      return { subscription, charges: await openChargeBook(session).ofSubscription(subscription.trackingId) };
    },
    { snapshot: true },
  );
}
