import { type Millimes, millimes, ZERO_MILLIMES } from '../../kernel';
import { type Account, BANK_UNMATCHED } from '../../ledger';
import type { Direction, ReconBreak } from '../recon-break';

/** The written-off part in one account: a loss, or a gain if below 0. */
export interface WrittenOffPart {
  readonly account: Account;
  readonly loss: Millimes;
}

/** An account that holds a part of a break, and the amount that may still be written off there. */
export interface WriteOffPlace {
  readonly account: Account;
  readonly effect: 'loss' | 'gain';
  /** Never below 0. */
  readonly left: Millimes;
}

/** The amount and the direction of a break. */
export type Difference = Pick<ReconBreak, 'amount' | 'direction'>;

/**
 * Returns the written-off part of a break, with the sign of its amount. A write-off against the direction of the break
 * counts as less than none. Unmatched bank money may be on either side of a break without a known direction, so
 * write-offs there count by their size. Pure.
 */
export function sumWrittenOff({ amount, direction }: Difference, writtenOff: readonly WrittenOffPart[]): Millimes {
  const sign = signOf(direction);
  const sumIn = (isBank: boolean, sizeOf: (loss: number) => number): number =>
    writtenOff.reduce(
      (sum, { account, loss }) => ((account === BANK_UNMATCHED) === isBank ? sum + sizeOf(loss) : sum),
      0,
    );
  const inClearing = sumIn(false, Number);
  const size = sumIn(true, Math.abs) + (sign === undefined ? Math.abs(inClearing) : inClearing * sign);
  return size === 0 ? ZERO_MILLIMES : millimes(amount !== undefined && amount < 0 ? -size : size);
}

/**
 * Returns the accounts in which a break may be written off, by name. Each account allows at most the amount that its
 * rows brought; all together allow at most the amount of the break. Pure.
 *
 * The direction of the break decides between loss and gain. Without a known direction a write-off takes the money of
 * the rows out of their account. If only items brought the amount, on both sides of 0, each account has its own effect:
 * a loss in one and a gain in another add up to the amount. Unmatched bank money on the other side of the break is no
 * part of it.
 */
export function writeOffPlaces(
  difference: Difference & { readonly amount: Millimes },
  brought: ReadonlyMap<Account, Millimes>,
  writtenOff: readonly WrittenOffPart[],
): WriteOffPlace[] {
  const { amount } = difference;
  const ofBreak = signOf(difference.direction);
  const parts = [...brought].filter(([, part]) => part !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const isOnBothSides = sumsOnBothSides(ofBreak === undefined ? amount : Math.abs(amount) * ofBreak, parts);
  const leftOfBreak = Math.abs(amount) - sumWrittenOff(difference, writtenOff) * Math.sign(amount);
  return parts.flatMap(([account, part]): WriteOffPlace[] => {
    const ofPart = Math.sign(part);
    const isBank = account === BANK_UNMATCHED;
    if (isBank && ofBreak !== undefined && ofPart !== ofBreak) return [];
    const sign = isBank || isOnBothSides ? ofPart : (ofBreak ?? ofPart);
    const givenThere = writtenOff.reduce((sum, each) => sum + (each.account === account ? each.loss * sign : 0), 0);
    const leftThere = Math.abs(part) - givenThere;
    const left = Math.max(0, isOnBothSides ? leftThere : Math.min(leftThere, leftOfBreak));
    return [{ account, effect: sign > 0 ? 'loss' : 'gain', left: millimes(left) }];
  });
}

/** Returns the sign of ledger less bank: 1 for a loss, -1 for a gain; undefined if the direction does not tell. */
function signOf(direction: Direction): 1 | -1 | undefined {
  if (direction === 'books_have_more') return 1;
  return direction === 'bank_has_more' ? -1 : undefined;
}

function sumsOnBothSides(amount: number, parts: readonly (readonly [Account, Millimes])[]): boolean {
  return (
    parts.some(([, part]) => part > 0) &&
    parts.some(([, part]) => part < 0) &&
    parts.every(([account]) => account !== BANK_UNMATCHED) &&
    parts.reduce((sum, [, part]) => sum + part, 0) === amount
  );
}
