import { assert, formatInstant, type Instant } from '../../kernel';
import type { SeededRandom } from '../core/seeded-random';
import { cancelPairs } from './cancel-pairs';
import type { Fee } from './fee-of';
import { inOrderOfAvailability, type PayableItem } from './payable-item';
import type { Payout } from './payout';
import { type BankDays, payoutDates } from './payout-dates';
import type { PayoutPlan } from './payout-plan';
import { type PricedItems, priceItems } from './price-items';
import { transferGroups } from './transfer-groups';

const PAYOUT_ID_DIGITS = 12;

export interface FormPayoutsRequest {
  readonly plan: PayoutPlan;
  readonly cutAt: Instant;
  readonly bankDays: BankDays;
  /** What an earlier payout kept of an item, for a fee that is given back with a clawback. */
  readonly feeCharged: (itemId: string) => Fee | undefined;
  /** Only its seed counts: the same seed, cut and items give the same payouts. */
  readonly random: SeededRandom;
}

/** Every item that was given is in exactly one of the three. */
export interface CutOutcome {
  readonly payouts: readonly Payout[];
  /** Open for the next cut: not yet available, passed over, in a channel that is not paid, or in a sweep of too little. */
  readonly left: readonly PayableItem[];
  /** Payments and their own refunds, which leave together. */
  readonly cancelled: readonly PayableItem[];
}

/**
 * What the gateway pays at a cut, out of everything that is open, what is not yet available included. Pure, and the same
 * for any order of the items.
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

/** No two payouts have an item in common, so the first one makes an id that no other payout has. */
function payoutIdOf([first]: readonly PayableItem[], random: SeededRandom): string {
  assert(first !== undefined, 'a payout has an item');
  return `payout-${random.fork(`payout:${first.itemId}`).hex(PAYOUT_ID_DIGITS)}`;
}

function isTransferred({ netMillimes }: PricedItems, { minimumMillimes }: PayoutPlan): boolean {
  return netMillimes > 0 && netMillimes >= minimumMillimes;
}

/** The items that this cut passes over although they are available, each once in its life. */
function heldBack(items: readonly PayableItem[], { plan, cutAt, random }: FormPayoutsRequest): ReadonlySet<string> {
  const chance = random.fork(`held:${formatInstant(cutAt)}`);
  return new Set(
    items
      .filter(({ availableAt, heldAt }) => availableAt <= cutAt && heldAt === undefined)
      .filter(() => chance.chance(plan.deviations.heldBackPpm))
      .map(({ itemId }) => itemId),
  );
}
