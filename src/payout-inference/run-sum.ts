import { at } from './at';
import type { DayGrid } from './day-grid';
import type { StreamItems } from './order-stream';
import { payoutFees, type Priced } from './price-stream';

/** Returns the prices that apply to a cut before a position. */
export function pricedAt(
  priced: readonly Priced[],
  sequence: StreamItems,
  position: number,
  grid: DayGrid,
): Priced | undefined {
  const day = grid.dayOf(at(sequence.key, position - 1));
  return priced.find(({ fromDay, toDay }) => fromDay <= day && day < toDay) ?? priced[0];
}

/** Returns the payout of the run of items from one position up to another. */
export function runSum(sequence: StreamItems, { net, perPayout }: Priced, from: number, to: number): number {
  const positives = new Float64Array(perPayout?.terms.length ?? 0);
  let sum = 0;
  for (let position = from; position < to; position += 1) {
    const payment = at(sequence.payment, position);
    const amount = at(sequence.amount, position);
    const isPair = payment >= from;
    sum += isPair ? -at(net, payment) : at(net, position);
    if (perPayout === undefined || (amount < 0 && !isPair)) continue;
    const group = at(perPayout.group, position);
    if (group >= 0) positives[group] = at(positives, group) + amount;
  }
  return perPayout === undefined ? sum : sum - payoutFees(positives, perPayout.terms);
}
