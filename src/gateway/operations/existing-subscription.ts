import { isJsonObject, ownValue } from '../../kernel';
import { isWebLink } from '../addresses';
import type { ExistingSubscription } from '../gateway-error';

// Far longer than any id or link of the gateway.
const ID_CHARACTERS_MAX = 255;
const LINK_CHARACTERS_MAX = 2_000;

/**
 * Reads the ids in the refusal. Drops texts that are too long and links that a browser cannot open, because errors are
 * logged.
 */
export function existingOf(raw: unknown): ExistingSubscription | undefined {
  const result = isJsonObject(raw) ? ownValue(raw, 'result') : undefined;
  if (!isJsonObject(result)) return undefined;
  const text = (name: string, max: number): string | undefined => {
    const value = ownValue(result, name);
    return typeof value === 'string' && value !== '' && value.length <= max ? value : undefined;
  };
  const subscriptionId = text('subscription_id', ID_CHARACTERS_MAX);
  const paymentId = text('payment_id', ID_CHARACTERS_MAX);
  const link = text('link', LINK_CHARACTERS_MAX);
  if (subscriptionId === undefined) return undefined;
  return {
    subscriptionId,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(link === undefined || !isWebLink(link) ? {} : { link }),
  };
}

/** Hides keys in the ids: the gateway may echo a key anywhere, and no error may contain one. */
export function hideKeys(
  { subscriptionId, paymentId, link }: ExistingSubscription,
  hide: (text: string) => string,
): ExistingSubscription {
  return {
    subscriptionId: hide(subscriptionId),
    ...(paymentId === undefined ? {} : { paymentId: hide(paymentId) }),
    ...(link === undefined ? {} : { link: hide(link) }),
  };
}
