import { assert, formatInstant } from '../../kernel';
import type { SeededRandom } from '../core/seeded-random';
import { cancelPairs } from './cancel-pairs';
import type { Fee } from './fee-of';
import { inOrderOfAvailability, type PayableItem } from './payable-item';
import type { Payout } from './payout';
import { type CutRequest, payoutDates } from './payout-dates';
import type { PayoutPlan } from './payout-plan';
import { type PricedItems, priceItems } from './price-items';
import { transferGroups } from './transfer-groups';

const PAYOUT_ID_DIGITS = 12;

export interface FormPayoutsRequest extends CutRequest {
  /** Returns the fee that an earlier payout charged for an item, for a fee that is refunded with a clawback. */
  readonly feeCharged: (itemId: string) => Fee | undefined;
}

/** Every given item is in exactly one of the three lists. */
export interface CutOutcome {
  readonly payouts: readonly Payout[];
  /** Open until the next cut: not yet available, passed over, in an unpaid channel, or in a sweep below the minimum. */
  readonly left: readonly PayableItem[];
  /** Payments and their own refunds, which are removed together. */
  readonly cancelled: readonly PayableItem[];
}

/**
 * Forms the payouts of a cut from all open items, including those not yet available. Pure; the order of the items does
 * not matter.
 */
export function formPayouts(open: readonly PayableItem[], request: FormPayoutsRequest): CutOutcome {
  const { plan, cutAt, bankDays } = request;
  assert(new Set(open.map(({ itemId }) => itemId)).size === open.length, 'an item is open once');
  const { left, cancelled } = cancelPairs(inOrderOfAvailability(open), cutAt);
  const held = heldBack(left, request);
  const taken = left.filter(({ itemId, availableAt }) => availableAt <= cutAt && !held.has(itemId));
  const terms = { plan, day: bankDays.calendar.dateOf(cutAt), feeCharged: request.feeCharged };
  const price = (items: readonly PayableItem[]): PricedItems => priceItems(items, terms);
  const groups = transferGroups(plan.model, taken, (items) => isTransferred(price(items), plan));
  const dates = payoutDates(cutAt, plan, bankDays);
  const payouts = groups.map(({ stream, items }): Payout => ({
    payoutId: payoutIdOf(items, request.random),
    model: plan.model,
    stream,
    cutAt,
    ...dates,
    ...price(items),
  }));
  const paid = new Set(payouts.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)));
  return {
    payouts,
    left: left
      .filter(({ itemId }) => !paid.has(itemId))
      .map((item) => (held.has(item.itemId) ? { ...item, heldAt: cutAt } : item)),
    cancelled,
  };
}

/** Payouts share no items, so their first items are unique. */
function payoutIdOf([first]: readonly PayableItem[], random: SeededRandom): string {
  assert(first !== undefined, 'a payout has an item');
  return `payout-${random.fork(`payout:${first.itemId}`).hex(PAYOUT_ID_DIGITS)}`;
}

function isTransferred({ netMillimes }: PricedItems, { minimumMillimes }: PayoutPlan): boolean {
  return netMillimes > 0 && netMillimes >= minimumMillimes;
}

/** Returns the available items that this cut passes over; each is passed over at most once. */
function heldBack(items: readonly PayableItem[], { plan, cutAt, random }: FormPayoutsRequest): ReadonlySet<string> {
  const chance = random.fork(`held:${formatInstant(cutAt)}`);
  return new Set(
    items
      .filter(({ availableAt, heldAt }) => availableAt <= cutAt && heldAt === undefined)
      .filter(() => chance.chance(plan.deviations.heldBackPpm))
      .map(({ itemId }) => itemId),
  );
}
