import { type Millimes, millimes, ZERO_MILLIMES } from '../../kernel';
import { type Account, BANK_UNMATCHED } from '../../ledger';

/** The written-off part in one account: a loss, or a gain if below 0. */
export interface WrittenOffPart {
  readonly account: Account;
  readonly loss: Millimes;
}

/** An account that holds a part of a break, and the amount that may still be written off there. */
export interface WriteOffPlace {
  readonly account: Account;
  readonly direction: 'loss' | 'gain';
  /** Never below 0. */
  readonly left: Millimes;
}

/**
 * Returns the written-off part of a break, with the sign of its amount. Unmatched bank money may be on either side of a
 * break, so write-offs there count by their size. Pure.
 */
export function sumWrittenOff(amount: Millimes | undefined, writtenOff: readonly WrittenOffPart[]): Millimes {
  const sign = amount !== undefined && amount < 0 ? -1 : 1;
  const size = writtenOff.reduce((sum, { account, loss }) => {
    return sum + (account === BANK_UNMATCHED ? Math.abs(loss) : loss * sign);
  }, 0);
  return size === 0 ? ZERO_MILLIMES : millimes(size * sign);
}

/**
 * Returns the accounts in which a break may be written off, by name. Each account allows at most the amount that its
 * rows brought; all together allow at most the amount of the break. The sign of that amount gives the direction in the
 * clearing. If only items brought the amount, on both sides of 0, each account has its own direction: a loss in one and
 * a gain in another add up to the amount. Pure.
 */
export function writeOffPlaces(
  amount: Millimes,
  brought: ReadonlyMap<Account, Millimes>,
  writtenOff: readonly WrittenOffPart[],
): WriteOffPlace[] {
  const parts = [...brought].filter(([, part]) => part !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const isOnBothSides = sumsOnBothSides(amount, parts);
  const leftOfBreak = Math.abs(amount) - sumWrittenOff(amount, writtenOff) * Math.sign(amount);
  return parts.map(([account, part]) => {
    const sign = Math.sign(account === BANK_UNMATCHED || isOnBothSides ? part : amount);
    const givenThere = writtenOff.reduce((sum, each) => sum + (each.account === account ? each.loss * sign : 0), 0);
    const leftThere = Math.abs(part) - givenThere;
    const left = Math.max(0, isOnBothSides ? leftThere : Math.min(leftThere, leftOfBreak));
    return { account, direction: sign > 0 ? 'loss' : 'gain', left: millimes(left) };
  });
}

function sumsOnBothSides(amount: Millimes, parts: readonly (readonly [Account, Millimes])[]): boolean {
  return (
    parts.some(([, part]) => part > 0) &&
    parts.some(([, part]) => part < 0) &&
    parts.every(([account]) => account !== BANK_UNMATCHED) &&
    parts.reduce((sum, [, part]) => sum + part, 0) === amount
  );
}
