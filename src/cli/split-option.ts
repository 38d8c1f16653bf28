import type { SplitDestination } from '../gateway';
import { AppError } from '../kernel';
import { amountOption } from './amount-option';

/**
 * Reads the parts of a split, each `merchant=millimes`. The last equals sign divides a part, because a merchant's id
 * may contain one.
 * @throws AppError `bad_input` that names the part.
 */
export function splitOption(parts: readonly string[]): readonly SplitDestination[] {
  return parts.map((part) => {
    const [, destination, amount] = /^(.+)=([^=]*)$/.exec(part) ?? [];
    if (destination === undefined || amount === undefined) {
      throw new AppError('bad_input', { field: '--split', expected: '<merchant>=<millimes>', got: part });
    }
    return { destination, amountMillimes: amountOption(`--split ${destination}`, amount) };
  });
}
