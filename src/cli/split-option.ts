import type { SplitDestination } from '../gateway';
import { AppError } from '../kernel';
import { amountOption } from './amount-option';

/**
 * Reads the parts of a split, each `merchant=millimes`. The last equals sign divides, since a merchant's id may have one.
 *
 * @throws AppError `bad_input` that names the part.
 */
export function splitOption(parts: readonly string[]): readonly SplitDestination[] {
  return parts.map((part) => {
    const [, destination, amount] = /^(.+)=([^=]*)$/.exec(part) ?? [];
    if (destination === undefined || amount === undefined) {
      throw new AppError('bad_input', `--split ${part}: must be a merchant's id, an equals sign and millimes`);
    }
    return { destination, amountMillimes: amountOption(`--split ${destination}`, amount) };
  });
}
