import { addDecimals, type Decimal, subtractDecimals, ZERO_DECIMAL } from '../decimal';
import type { ParsedLine } from '../parsed-statement';
import type { StatementProfile } from '../statement-profile';

/** The facts around the lines that a running balance completes. */
export interface StatedFacts {
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
  /** Whether the bank states the totals of the debits and of the credits. */
  readonly totals: boolean;
  /** Whether the file has other accounts, to which a single misread line could belong. */
  readonly severalAccounts: boolean;
}

/**
 * Returns both balances, a missing one from the running balances if the profile allows it. A balance that has a label in
 * the profile is not replaced.
 */
export function withRunning(
  lines: readonly ParsedLine[],
  stated: StatedFacts,
  profile: StatementProfile,
): Pick<StatedFacts, 'opening' | 'closing'> {
  const { opening, closing } = stated;
  // A bank may write a provisional balance beside a pending line, or none.
  const booked = lines.filter(({ status }) => status === 'booked');
  if (!mayComplete(booked, stated, profile)) return { opening, closing };
  return {
    opening: opening ?? (profile.opening === undefined ? runningOpening(booked) : undefined),
    closing: closing ?? (profile.closing === undefined ? runningClosing(booked) : undefined),
  };
}

function mayComplete(booked: readonly ParsedLine[], stated: StatedFacts, profile: StatementProfile): boolean {
  if (profile.balancesFromRunning === false) return false;
  const balances = booked.filter(({ balanceAfter }) => balanceAfter !== undefined).length;
  if (profile.balancesFromRunning === 'proven') {
    if (balances !== booked.length) return false;
    if (stated.opening !== undefined) return balances > 0;
    // The running balances prove each line but the first, and their signs only if another line moves money.
    return stated.totals && booked.slice(1).some(({ amount }) => amount.units !== 0n);
  }
  // From one balance of several lines, both ends would follow and agree whatever is missing.
  const restsOnOne = balances === 1 && (booked.length > 1 || stated.severalAccounts);
  return !restsOnOne || profile.opening !== undefined || profile.closing !== undefined;
}

function runningOpening(booked: readonly ParsedLine[]): Decimal | undefined {
  const first = booked.findIndex(({ balanceAfter }) => balanceAfter !== undefined);
  const stated = booked[first]?.balanceAfter;
  return stated && subtractDecimals(stated, sumOf(booked.slice(0, first + 1)));
}

function runningClosing(booked: readonly ParsedLine[]): Decimal | undefined {
  const last = booked.findLastIndex(({ balanceAfter }) => balanceAfter !== undefined);
  const stated = booked[last]?.balanceAfter;
  return stated && addDecimals(stated, sumOf(booked.slice(last + 1)));
}

function sumOf(lines: readonly ParsedLine[]): Decimal {
  return lines.reduce((sum, { amount }) => addDecimals(sum, amount), ZERO_DECIMAL);
}
