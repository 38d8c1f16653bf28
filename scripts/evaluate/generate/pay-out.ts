import { assert, HOUR_MS, type Instant } from '../../../src/kernel';
import {
  decodePayoutPlan,
  formPayouts,
  type PayableItem,
  type PayoutPlan,
  type SeededRandom,
} from '../../../src/simulator';
import type { MadeItems } from './make-items';
import type { Period } from './period';
import type { FeeRule, WorldPlan } from './plan';
import type { CutPayout, PaidGroup, PlannedCut } from './planned-cuts';

const CALLED_OFF_HOURS = [3, 10] as const;

/** A cut that was announced and called off. Until then its items showed IN_PAYOUT. */
export interface CalledOffCut {
  readonly cutAt: Instant;
  readonly calledOffAt: Instant;
  readonly itemIds: ReadonlySet<string>;
}

export interface PaidOut {
  readonly payoutPlan: PayoutPlan;
  readonly payouts: readonly CutPayout[];
  /** Payments that left with their own refund. */
  readonly cancelledIds: ReadonlySet<string>;
  readonly calledOff: readonly CalledOffCut[];
  /** Refunds that the gateway forgot to deduct. */
  readonly forgottenIds: ReadonlySet<string>;
  readonly openAtEnd: readonly PayableItem[];
}

export interface PayOutRequest {
  readonly random: SeededRandom;
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly made: MadeItems;
  readonly cuts: readonly PlannedCut[];
  readonly fees: readonly FeeRule[];
}

/**
 * Visits the cuts and decides which items each takes, passes over or forgets. The simulator's code computes the money.
 */
export function payOut({ random, plan, period, made, cuts, fees }: PayOutRequest): PaidOut {
  const payoutPlan: PayoutPlan = {
    // What a group pays, it pays in one transfer.
    ...decodePayoutPlan({
      model: plan.groups === undefined ? plan.model : 'sweep-all',
      clawbackFee: plan.clawbackFee,
    }),
    fees: [...fees],
  };
  const payouts: CutPayout[] = [];
  const calledOff: CalledOffCut[] = [];
  const cancelledIds = new Set<string>();
  const forgottenIds = new Set<string>();
  const everHeld = new Set<string>();
  const charged = new Map<string, CutPayout['lines'][number]>();
  let open: PayableItem[] = [];
  let next = 0;
  for (const { cutAt, only, minimumMillimes } of plan.nothingPaid ? [] : cuts) {
    for (let item = made.items[next]; item !== undefined && item.succeededAt <= cutAt; item = made.items[next]) {
      next += 1;
      const isForgotten =
        item.refundOf !== undefined && random.chance(plan.faults.forgottenRefundPpm) && charged.has(item.refundOf);
      if (isForgotten) forgottenIds.add(item.itemId);
      else open.push(item);
    }
    const chance = random.fork(`cut:${cutAt}${only === undefined ? '' : `:${only.stream}`}`);
    const isCalledOff = chance.chance(plan.faults.cancelledCutPpm);
    const isHolding = chance.chance(plan.faults.lateItemPpm);
    const takeable = open.filter((item) => item.availableAt <= cutAt && isPaidBy(only, item));
    if (isCalledOff) {
      const calledOffAt = cutAt + chance.int(...CALLED_OFF_HOURS) * HOUR_MS;
      calledOff.push({ cutAt, calledOffAt, itemIds: new Set(takeable.map(({ itemId }) => itemId)) });
      continue;
    }
    const held = isHolding ? pickHeld(chance, takeable, everHeld) : undefined;
    if (held !== undefined) everHeld.add(held.itemId);
    const given = open.filter((item) => item !== held && isPaidBy(only, item));
    const outcome = formPayouts(given, {
      plan: { ...payoutPlan, minimumMillimes },
      cutAt,
      bankDays: period,
      feeCharged: (itemId) => charged.get(itemId),
      random,
    });
    payouts.push(...outcome.payouts.map((payout) => ({ ...payout, stream: only?.stream ?? payout.stream })));
    for (const line of outcome.payouts.flatMap(({ lines }) => lines)) charged.set(line.itemId, line);
    for (const { itemId } of outcome.cancelled) cancelledIds.add(itemId);
    const others = only === undefined ? [] : open.filter((item) => !isPaidBy(only, item));
    open = [...outcome.left, ...others, ...(held === undefined ? [] : [held])];
  }
  return {
    payoutPlan,
    payouts,
    cancelledIds,
    calledOff,
    forgottenIds,
    openAtEnd: [...open, ...made.items.slice(next)],
  };
}

function isPaidBy(only: PaidGroup['only'], { channel }: PayableItem): boolean {
  return only === undefined || only.channels.has(channel);
}

/** Picks a payment that waits, but none with an open refund: the pair would leave unseen at the next cut. */
function pickHeld(
  chance: SeededRandom,
  takeable: readonly PayableItem[],
  everHeld: ReadonlySet<string>,
): PayableItem | undefined {
  const refunded = new Set(takeable.map(({ refundOf }) => refundOf));
  const candidates = takeable.filter(
    ({ itemId, amountMillimes }) => amountMillimes > 0 && !everHeld.has(itemId) && !refunded.has(itemId),
  );
  // If the only item of a cut waits, there is no cut.
  if (candidates.length < 2) return undefined;
  const held = candidates[chance.int(0, candidates.length - 1)];
  assert(held !== undefined, 'an index of the list');
  return held;
}
