import {
  businessCalendar,
  businessDate,
  type Instant,
  millimes,
  parseInstant,
  WorkingDays,
} from '../../../../src/kernel';
import { createSeededRandom, decodePayoutPlan, type PayableItem, type PayoutPlan } from '../../../../src/simulator';
import type { BankDays } from '../../../../src/simulator/payouts/payout-dates';
import { EMPTY_PAYOUT_BOOK, type PayoutBook, takeCut } from '../../../../src/simulator/testing';

/** Friday 20 March 2026 is a holiday; Monday 2 March is a working day like those after it. */
export const BANK_DAYS: BankDays = {
  calendar: businessCalendar('Africa/Tunis'),
  workingDays: new WorkingDays([businessDate('2026-03-20')]),
};

/** The instant of a local time such as `2026-03-02 16:00`; Tunis is one hour ahead of UTC all year. */
export function at(local: string): Instant {
  const instant = parseInstant(`${local.replace(' ', 'T')}:00+01:00`);
  if (instant === undefined) throw new Error(`not a local time: ${local}`);
  return instant;
}

export const planOf = (settings: unknown = {}): PayoutPlan => decodePayoutPlan(settings);

/** An item that is available from the given local time. */
export function anItem(
  itemId: string,
  amount: number,
  more: { channel?: PayableItem['channel']; available?: string; refundOf?: string } = {},
): PayableItem {
  const availableAt = at(more.available ?? '2026-03-02 10:00');
  return {
    itemId,
    channel: more.channel ?? 'agent',
    amountMillimes: millimes(amount),
    succeededAt: availableAt,
    availableAt,
    ...(more.refundOf === undefined ? {} : { refundOf: more.refundOf }),
  };
}

/** A card fee of 1.5 % with TVA of 19 %, per item. */
export const CARD_FEE = {
  channel: 'card',
  rate_ppm: 15_000,
  fixed_millimes: 0,
  tva_ppm: 190_000,
  rounding: 'half_up',
  basis: 'item',
};

/** The book after cuts at local times; before each cut the items given with it are added. */
export function bookAfter(
  plan: PayoutPlan,
  cuts: readonly (readonly [cut: string, items: readonly PayableItem[]])[],
  seed: number | string = 7,
): PayoutBook {
  const random = createSeededRandom(seed);
  return cuts.reduce<PayoutBook>(
    (book, [cut, items]) =>
      takeCut({ ...book, open: [...book.open, ...items] }, { plan, cutAt: at(cut), bankDays: BANK_DAYS, random }),
    EMPTY_PAYOUT_BOOK,
  );
}
