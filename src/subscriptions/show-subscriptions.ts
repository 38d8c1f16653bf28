import type { CollectingDeps } from '../attempts';
import { AppError, isOutsideId } from '../kernel';
import { openChargeStore } from './charge-store';
import { openSubscriptionStore } from './subscription-store';
import type { ChargeMirror, SubscriptionMirror } from './subscriptions';

/**
 * Returns a subscription with its charges, newest first: by tracking id, by the gateway's id, or the live or newest one
 * of a reference.
 *
 * @throws AppError `not_found`.
 */
export async function showSubscription(
  { database }: Pick<CollectingDeps, 'database'>,
  id: string,
): Promise<{ readonly subscription: SubscriptionMirror; readonly charges: readonly ChargeMirror[] }> {
  return database.read(
    async (session) => {
      const store = openSubscriptionStore(session);
      const subscription = isOutsideId(id)
        ? ((await store.find(id)) ?? (await store.bySubscriptionId(id)) ?? (await store.ofReferences([id])).get(id))
        : undefined;
      if (subscription === undefined) throw new AppError('not_found', { thing: 'subscription', id: id });
      return { subscription, charges: await openChargeStore(session).ofSubscription(subscription.trackingId) };
    },
    { snapshot: true },
  );
}
