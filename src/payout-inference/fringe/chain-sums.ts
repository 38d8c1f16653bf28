import type { StreamItems } from '../line-up-stream';
import type { TakenSet } from './taken-set';

/** What is surely paid between two cuts; a payment and its refund in between leave together. */
export function sureSum(
  line: StreamItems,
  refunds: readonly number[],
  weight: Float64Array,
  sums: Float64Array,
  { upTo, extras }: TakenSet,
  sure: number,
): number {
  let sum = (sums[Math.max(sure, upTo)] ?? 0) - (sums[upTo] ?? 0);
  for (const position of extras) if (position < sure) sum -= weight[position] ?? 0;
  for (const position of refunds) {
    const payment = line.payment[position] ?? -1;
    if (position < upTo || position >= sure || payment < upTo || extras.includes(payment)) continue;
    sum -= (weight[position] ?? 0) + (weight[payment] ?? 0);
  }
  return sum;
}

/** How far sums may still fall. */
export function refundsBehind(line: StreamItems, position: number): number {
  return (line.refundedBefore[line.size] ?? 0) - (line.refundedBefore[position] ?? 0);
}

/** The least value from each position on. */
export function suffixLeast(size: number, of: (position: number) => number): Float64Array {
  const least = new Float64Array(size + 1).fill(Infinity);
  for (let position = size - 1; position >= 0; position -= 1) {
    least[position] = Math.min(least[position + 1] ?? Infinity, of(position));
  }
  return least;
}
