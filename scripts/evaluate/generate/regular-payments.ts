import { type BusinessDate, type Millimes, millimes, MINUTE_MS } from '../../../src/kernel';
import type { PayableItem, SeededRandom } from '../../../src/simulator';
import { makePaymentAt, type WorldTraits } from './make-payment';
import type { Period } from './period';
import type { RegularPayment } from './plan';

const DINAR = 1_000;
const PRICE_DINARS = [5, 80] as const;

/** Returns the payments that repeat, by day: each payer pays the same price on every day, also on days off. */
export function regularPayments(
  random: SeededRandom,
  regulars: readonly RegularPayment[],
  context: { readonly period: Period; readonly traits: WorldTraits },
): ReadonlyMap<BusinessDate, readonly PayableItem[]> {
  const byDay = new Map<BusinessDate, PayableItem[]>();
  regulars.forEach(({ channel, payers, price, minutes: [from, to], skippedPpm }, index) => {
    const one = typeof price === 'number' ? price : drawPrice(random.fork(`price:${index}`));
    for (let payer = 0; payer < payers; payer += 1) {
      const chance = random.fork(`payer:${index}:${payer}`);
      const own = drawPrice(chance);
      for (const { date, startAt } of context.period.days) {
        const at = startAt + chance.int(from * MINUTE_MS, to * MINUTE_MS);
        const isSkipped = chance.chance(skippedPpm);
        const payment = makePaymentAt(
          chance,
          { channel, at, amount: () => (price === 'of_each_payer' ? own : one) },
          context,
        );
        if (!isSkipped) byDay.set(date, [...(byDay.get(date) ?? []), payment]);
      }
    }
  });
  return byDay;
}

/** Returns a price in whole dinars. */
export function drawPrice(random: SeededRandom): Millimes {
  return millimes(random.int(...PRICE_DINARS) * DINAR);
}
