import type { NewBreak } from '../../breaks';
import { paymentItemId } from '../../gateway-items';
import type { BusinessDate } from '../../kernel';
import type { FoundByStatusCheck } from '../channel';
import type { Payment } from '../payment';

/** The part of a gateway word in a fingerprint; Millime knows no longer word. */
const WORD_CHARACTERS_KEPT = 40;

/**
 * Returns a break of one payment. Its fingerprint is `<class>:<tracking id>`, followed by a detail that distinguishes
 * it from others of its class.
 */
export function statusCheckBreak(
  payment: Payment,
  found: FoundByStatusCheck & { readonly since: BusinessDate },
): NewBreak {
  const { breakClass, detail, since, amount = payment.captured ?? payment.ourShare, facts = {} } = found;
  const { itemIds = itemIdsOf(payment), direction = 'may_have_moved' } = found;
  const { trackingId } = payment;
  return {
    fingerprint: `${breakClass}:${trackingId}${detail === undefined ? '' : `:${detail}`}`,
    breakClass,
    since,
    amount,
    direction,
    subject: { itemIds, lineIds: [], facts: { trackingId, ...facts } },
  };
}

function itemIdsOf({ itemId, gatewayId }: Payment): readonly string[] {
  if (itemId !== undefined) return [itemId];
  return gatewayId === undefined ? [] : [paymentItemId(gatewayId)];
}

/** Returns the break for a state that the gateway withdrew; one for each pair of states. */
export function regressedBreak(
  payment: Payment,
  {
    of,
    from,
    to,
    since,
  }: { readonly of: string; readonly from: string; readonly to: string; readonly since: BusinessDate },
): NewBreak {
  return statusCheckBreak(payment, {
    breakClass: 'settlement_regressed',
    detail: `${short(from)}-${short(to)}`,
    since,
    facts: { of, from: short(from), to: short(to) },
  });
}

function short(word: string): string {
  return word.slice(0, WORD_CHARACTERS_KEPT).toWellFormed();
}
