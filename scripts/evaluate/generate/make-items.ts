import { DAY_MS, HOUR_MS, type Instant, millimes, MINUTE_MS } from '../../../src/kernel';
import type { PayableItem, SeededRandom } from '../../../src/simulator';
import { makeAmount } from './make-amount';
import { drawTraits, driftOf, makePaymentAt, onTick, type WorldTraits } from './make-payment';
import type { Period, PeriodDay } from './period';
import type { WorldPlan } from './plan';
import { regularPayments } from './regular-payments';
import { pickWeighted, type Weighted } from './weighted';

const ID_DIGITS = 12;

const WORKING_DAY_WEIGHT = 100;
const DAY_OFF_WEIGHT = 45;

/** Payments by hour of the day: none at night, peaks before noon and after work. */
const HOURS: readonly Weighted<number>[] = [
  1, 1, 0, 0, 0, 1, 2, 5, 12, 20, 24, 25, 20, 16, 17, 20, 22, 24, 20, 15, 11, 8, 5, 2,
].map((weight, hour) => [hour, weight]);

const NOON = 12;
const MORNING_HOURS = HOURS.filter(([hour]) => hour < NOON);

/** Within hours, or within days, when most payments have been paid out. */
const REFUND_SOON_MINUTES = [10, 300] as const;
const REFUND_LATE_MINUTES = [3 * 24 * 60, 14 * 24 * 60] as const;
/** The gateway cannot refund money that an agent collected. */
const NEVER_REFUNDED = 'agent';

export interface MadeItems {
  /** Payments and refunds, in the order in which they succeeded. */
  readonly items: readonly PayableItem[];
  /** Items that the gateway pays and no file contains. */
  readonly unknownIds: ReadonlySet<string>;
  /** Card payments that never leave PROCESSING. */
  readonly stuckIds: ReadonlySet<string>;
  readonly cardDriftMsPerDay: number;
}

/** Draws the payments of customers and their refunds, with the instants of the gateway's clock. */
export function makeItems(random: SeededRandom, plan: WorldPlan, period: Period, count: number): MadeItems {
  const items: PayableItem[] = [];
  const unknownIds = new Set<string>();
  const stuckIds = new Set<string>();
  const chance = random.fork('faults of items');
  const refunds = random.fork('refunds');
  const traits = drawTraits(random.fork('habits'), plan);
  const regular = regularPayments(random.fork('regulars'), plan.regulars, { period, traits });
  for (const [day, payments] of perDay(random, plan, period, count)) {
    const ofDay = regular.get(day.date) ?? [];
    for (let made = 0; made < payments + ofDay.length; made += 1) {
      const payment = ofDay[made - payments] ?? makePayment(random, { plan, period, traits }, day);
      const isUnknown = chance.chance(plan.faults.unknownItemPpm);
      const isStuck = chance.chance(plan.faults.stuckCardPpm) && payment.channel === 'card';
      if (isUnknown) unknownIds.add(payment.itemId);
      if (isStuck) stuckIds.add(payment.itemId);
      items.push(isStuck ? { ...payment, availableAt: never(period) } : payment);
      const refund = makeRefund(refunds, { plan, period, traits }, payment);
      if (refund !== undefined && !isUnknown && !isStuck && refund.succeededAt < period.filesUntil) items.push(refund);
    }
  }
  return {
    items: items.sort((a, b) => a.succeededAt - b.succeededAt),
    unknownIds,
    stuckIds,
    cardDriftMsPerDay: driftOf(traits.cards),
  };
}

interface MakeContext {
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly traits: WorldTraits;
}

/** Returns an instant after everything that the files show. */
function never({ filesUntil }: Period): Instant {
  return filesUntil + 30 * DAY_MS;
}

function perDay(random: SeededRandom, plan: WorldPlan, { days }: Period, count: number): [PeriodDay, number][] {
  if (plan.others === 'never') return days.map((day) => [day, 0]);
  const salaryDay = days.slice(Math.floor(days.length / 2)).find(({ isWorkingDay }) => isWorkingDay);
  const chosen = days.map((day): Weighted<PeriodDay> => {
    const weight = day.isWorkingDay ? WORKING_DAY_WEIGHT : DAY_OFF_WEIGHT;
    return [day, day === salaryDay ? weight * plan.salaryDayTimes : weight];
  });
  const total = chosen.reduce((sum, [, weight]) => sum + weight, 0);
  return chosen.map(([day, weight]) => {
    const millionths = Math.round((count * weight * 1_000_000) / total);
    // The fraction decides by chance, so that a tiny shop has days without payments.
    return [day, Math.floor(millionths / 1_000_000) + (random.chance(millionths % 1_000_000) ? 1 : 0)];
  });
}

function makePayment(random: SeededRandom, { plan, period, traits }: MakeContext, day: PeriodDay): PayableItem {
  const hours = plan.others === 'morning' ? MORNING_HOURS : HOURS;
  const at = day.startAt + pickWeighted(random, hours) * HOUR_MS + random.int(0, HOUR_MS - 1);
  const channel = pickWeighted(random, plan.channels);
  return makePaymentAt(random, { channel, at, amount: () => makeAmount(random, plan.amounts) }, { period, traits });
}

/** Every chance is drawn for every payment, so that one rate does not affect the draws of another. */
function makeRefund(
  random: SeededRandom,
  { plan, traits }: MakeContext,
  payment: PayableItem,
): PayableItem | undefined {
  const isSoon = random.chance(plan.refundsSoonPpm);
  const isLate = random.chance(plan.refundsLatePpm);
  const soonMinutes = random.int(...REFUND_SOON_MINUTES);
  const lateMinutes = random.int(...REFUND_LATE_MINUTES);
  const itemId = `refund:${random.hex(ID_DIGITS)}`;
  const odd = random.int(0, MINUTE_MS - 1);
  if ((!isSoon && !isLate) || payment.channel === NEVER_REFUNDED) return undefined;
  const at = payment.succeededAt + (isSoon ? soonMinutes : lateMinutes) * MINUTE_MS + odd;
  const succeededAt = onTick(at, traits);
  return {
    itemId,
    channel: payment.channel,
    amountMillimes: millimes(-payment.amountMillimes),
    succeededAt,
    availableAt: succeededAt,
    refundOf: payment.itemId,
  };
}
