import { DAY_MS, type Instant, type Millimes, MINUTE_MS } from '../../../src/kernel';
import type { PayableItem, SeededRandom } from '../../../src/simulator';
import type { Period } from './period';
import type { CardRule, WorldPlan } from './plan';

const ID_DIGITS = 12;
const TICKS_MS = [1, 1_000] as const;
/** Earlier than the first hour at which a gateway cuts. */
const BATCH_HOURS = [2, 5, 6, 7] as const;
const BATCH_WIDTHS_MINUTES = [10, 40, 55] as const;
/** Over two months a batch moves by two to four hours. */
const DRIFT_MINUTES_PER_DAY = [2, 3, 4] as const;
/** A batch from this hour on moves towards the morning, an earlier one towards noon. */
const EARLIER_FROM_MINUTE = 6 * 60;

/** The values that are drawn once for a world. */
export interface WorldTraits {
  readonly cards: CardRule;
  /** Instants have a precision of a second or of a millisecond. */
  readonly tickMs: number;
}

export function drawTraits(random: SeededRandom, { cards }: WorldPlan): WorldTraits {
  const fromMinute = random.pick(BATCH_HOURS) * 60;
  const batch: CardRule = { kind: 'batch', fromMinute, widthMinutes: random.pick(BATCH_WIDTHS_MINUTES) };
  const tickMs = random.pick(TICKS_MS);
  if (cards !== 'drifting') return { cards: cards === 'batch' ? batch : cards, tickMs };
  const minutes = random.pick(DRIFT_MINUTES_PER_DAY) * (fromMinute < EARLIER_FROM_MINUTE ? 1 : -1);
  return { cards: { ...batch, driftMsPerDay: minutes * MINUTE_MS }, tickMs };
}

export function driftOf(rule: CardRule): number {
  return rule.kind === 'batch' ? (rule.driftMsPerDay ?? 0) : 0;
}

export function onTick(instant: Instant, { tickMs }: WorldTraits): Instant {
  return instant - (instant % tickMs);
}

/** Returns a payment with its own id and the instant at which it becomes available. */
export function makePaymentAt(
  random: SeededRandom,
  { channel, at, amount }: Pick<PayableItem, 'channel'> & { readonly at: Instant; readonly amount: () => Millimes },
  { period, traits }: { readonly period: Period; readonly traits: WorldTraits },
): PayableItem {
  const succeededAt = onTick(at, traits);
  return {
    itemId: `${channel === 'agent' ? 'service' : 'payment'}:${random.hex(ID_DIGITS)}`,
    channel,
    amountMillimes: amount(),
    succeededAt,
    availableAt: channel === 'card' ? cardAvailableAt(random, traits.cards, period, succeededAt) : succeededAt,
  };
}

function cardAvailableAt(
  random: SeededRandom,
  rule: CardRule,
  { workingDays, at, dateOf, filesFrom }: Period,
  succeededAt: Instant,
): Instant {
  const date = dateOf(succeededAt);
  const next = workingDays.add(date, 1);
  if (rule.kind === 'rolling') return at(next, 0) + (succeededAt - at(date, 0));
  const driftMs = Math.round((at(next, 0) - filesFrom) / DAY_MS) * driftOf(rule);
  return at(next, rule.fromMinute) + driftMs + random.int(0, rule.widthMinutes * MINUTE_MS);
}
