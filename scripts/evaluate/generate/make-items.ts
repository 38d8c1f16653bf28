import { type BusinessDate, DAY_MS, HOUR_MS, type Instant, millimes, MINUTE_MS } from '../../../src/kernel';
import type { PayableItem, SeededRandom } from '../../../src/simulator';
import { makeAmount } from './make-amount';
import type { Period, PeriodDay } from './period';
import type { CardRule, WorldPlan } from './plan';
import { pickWeighted, type Weighted } from './weighted';

const ID_DIGITS = 12;
const TICKS_MS = [1, 1_000] as const;
/** Earlier than the first hour at which a gateway cuts. */
const BATCH_HOURS = [2, 5, 6, 7] as const;
const BATCH_WIDTHS_MINUTES = [10, 40, 55] as const;

const WORKING_DAY_WEIGHT = 100;
const DAY_OFF_WEIGHT = 45;

/** Payments by hour of the day: none at night, peaks before noon and after work. */
const HOURS: readonly Weighted<number>[] = [
  1, 1, 0, 0, 0, 1, 2, 5, 12, 20, 24, 25, 20, 16, 17, 20, 22, 24, 20, 15, 11, 8, 5, 2,
].map((weight, hour) => [hour, weight]);

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
}

/** Draws the payments of customers and their refunds, with the instants of the gateway's clock. */
export function makeItems(random: SeededRandom, plan: WorldPlan, period: Period, count: number): MadeItems {
  const items: PayableItem[] = [];
  const unknownIds = new Set<string>();
  const stuckIds = new Set<string>();
  const chance = random.fork('faults of items');
  const refunds = random.fork('refunds');
  const traits = traitsOf(random.fork('habits'), plan);
  for (const [day, payments] of perDay(random, period, count)) {
    for (let made = 0; made < payments; made += 1) {
      const payment = makePayment(random, { plan, period, traits }, day);
      const isUnknown = chance.chance(plan.faults.unknownItemPpm);
      const isStuck = chance.chance(plan.faults.stuckCardPpm) && payment.channel === 'card';
      if (isUnknown) unknownIds.add(payment.itemId);
      if (isStuck) stuckIds.add(payment.itemId);
      items.push(isStuck ? { ...payment, availableAt: never(period) } : payment);
      const refund = makeRefund(refunds, { plan, period, traits }, payment);
      if (refund !== undefined && !isUnknown && !isStuck && refund.succeededAt < period.filesUntil) items.push(refund);
    }
  }
  return { items: items.sort((a, b) => a.succeededAt - b.succeededAt), unknownIds, stuckIds };
}

/** The values that are drawn once for a world. */
interface WorldTraits {
  readonly cards: CardRule;
  /** Instants have a precision of a second or of a millisecond. */
  readonly tickMs: number;
}

interface MakeContext {
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly traits: WorldTraits;
}

function traitsOf(random: SeededRandom, { cards }: WorldPlan): WorldTraits {
  const batch: CardRule = {
    kind: 'batch',
    fromMinute: random.pick(BATCH_HOURS) * 60,
    widthMinutes: random.pick(BATCH_WIDTHS_MINUTES),
  };
  return { cards: cards === 'batch' ? batch : cards, tickMs: random.pick(TICKS_MS) };
}

function onTick(instant: Instant, { tickMs }: WorldTraits): Instant {
  return instant - (instant % tickMs);
}

/** Returns an instant after everything that the files show. */
function never({ filesUntil }: Period): Instant {
  return filesUntil + 30 * DAY_MS;
}

function perDay(random: SeededRandom, { days }: Period, count: number): [PeriodDay, number][] {
  const chosen = days.map((day): Weighted<PeriodDay> => [day, day.isWorkingDay ? WORKING_DAY_WEIGHT : DAY_OFF_WEIGHT]);
  const total = chosen.reduce((sum, [, weight]) => sum + weight, 0);
  return chosen.map(([day, weight]) => {
    const millionths = Math.round((count * weight * 1_000_000) / total);
    // The fraction decides by chance, so that a tiny shop has days without payments.
    return [day, Math.floor(millionths / 1_000_000) + (random.chance(millionths % 1_000_000) ? 1 : 0)];
  });
}

function makePayment(random: SeededRandom, { plan, period, traits }: MakeContext, day: PeriodDay): PayableItem {
  const at = day.startAt + pickWeighted(random, HOURS) * HOUR_MS + random.int(0, HOUR_MS - 1);
  const succeededAt = onTick(at, traits);
  const channel = pickWeighted(random, plan.channels);
  return {
    itemId: `${channel === 'agent' ? 'service' : 'payment'}:${random.hex(ID_DIGITS)}`,
    channel,
    amountMillimes: makeAmount(random, plan.amounts),
    succeededAt,
    availableAt:
      channel === 'card' ? cardAvailableAt(random, traits.cards, period, day.date, succeededAt) : succeededAt,
  };
}

function cardAvailableAt(
  random: SeededRandom,
  rule: CardRule,
  { workingDays, at }: Period,
  date: BusinessDate,
  succeededAt: Instant,
): Instant {
  const next = workingDays.add(date, 1);
  if (rule.kind === 'rolling') return at(next, 0) + (succeededAt - at(date, 0));
  return at(next, rule.fromMinute) + random.int(0, rule.widthMinutes * MINUTE_MS);
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
