import type { StreamItems } from '../order-stream';
import type { TakenSet } from './taken-set';

/** Returns the sum that is surely paid between two cuts. A payment and its refund in between leave together. */
export function sureSum(
  sequence: StreamItems,
  refunds: readonly number[],
  net: Float64Array,
  sums: Float64Array,
  { upTo, extras }: TakenSet,
  sure: number,
): number {
  let sum = (sums[Math.max(sure, upTo)] ?? 0) - (sums[upTo] ?? 0);
  for (const position of extras) if (position < sure) sum -= net[position] ?? 0;
  for (let place = firstFrom(refunds, upTo); place < refunds.length; place += 1) {
    const position = refunds[place] ?? 0;
    if (position >= sure) break;
    const payment = sequence.payment[position] ?? -1;
    if (payment < upTo || extras.includes(payment)) continue;
    sum -= (net[position] ?? 0) + (net[payment] ?? 0);
  }
  return sum;
}

/** Returns the index of the first number of an ascending list that is not less than `least`. */
function firstFrom(ascending: readonly number[], least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns how far sums may still fall. */
export function refundsBehind(sequence: StreamItems, position: number): number {
  return (sequence.refundedBefore[sequence.size] ?? 0) - (sequence.refundedBefore[position] ?? 0);
}
