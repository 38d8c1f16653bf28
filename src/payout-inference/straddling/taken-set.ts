import type { StreamItems } from '../order-stream';
import type { CutSlot } from './cut-slots';

/**
 * All items that were paid up to a cut: those before `upTo`, and `extras` after it, in ascending order. `upTo` is never
 * a member, so one set has one form wherever its cut lies.
 */
export interface TakenSet {
  readonly upTo: number;
  readonly extras: readonly number[];
}

export const NOTHING_TAKEN: TakenSet = { upTo: 0, extras: [] };

export function takenSet(sure: number, extras: readonly number[]): TakenSet {
  const sorted = [...new Set(extras)].filter((position) => position >= sure).sort((a, b) => a - b);
  let upTo = sure;
  let joined = 0;
  while (sorted[joined] === upTo) {
    joined += 1;
    upTo += 1;
  }
  return { upTo, extras: sorted.slice(joined) };
}

export function keyOf({ upTo, extras }: TakenSet): string {
  return `${upTo}:${extras.join()}`;
}

/** Returns the positions that were paid between two cuts, without payments that were refunded in between. */
export function paidBetween(sequence: StreamItems, before: TakenSet, after: TakenSet): number[] {
  const paid = new Set<number>();
  for (let position = before.upTo; position < after.upTo; position += 1) paid.add(position);
  for (const position of after.extras) paid.add(position);
  for (const position of before.extras) paid.delete(position);
  for (const position of [...paid]) {
    const payment = sequence.payment[position] ?? -1;
    if (payment >= 0 && paid.has(payment)) {
      paid.delete(position);
      paid.delete(payment);
    }
  }
  return [...paid].sort((a, b) => a - b);
}

export function hasTaken({ upTo, extras }: TakenSet, position: number): boolean {
  return position < upTo || extras.includes(position);
}

/** Returns the log probability that a cut in the slot takes exactly this set. */
export function chanceOf({ open, logTraced }: CutSlot, taken: TakenSet): number {
  return open.reduce(
    (log, { position, logIn, logOut }) => log + (hasTaken(taken, position) ? logIn : logOut),
    logTraced,
  );
}
