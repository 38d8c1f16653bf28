import { addDecimals, type Decimal, subtractDecimals, ZERO_DECIMAL } from '../decimal';
import type { ParsedLine } from '../parsed-statement';
import type { StatementProfile } from '../statement-profile';

/** Returns the balance before the first line, which the first running balance implies if the bank does not state it. */
export function runningOpening(lines: readonly ParsedLine[], profile: StatementProfile): Decimal | undefined {
  if (!profile.balancesFromRunning || profile.opening !== undefined) return undefined;
  const booked = bookedLines(lines);
  const first = booked.findIndex(({ balanceAfter }) => balanceAfter !== undefined);
  const stated = booked[first]?.balanceAfter;
  if (stated === undefined || restsOnOne(booked, profile.closing)) return undefined;
  return subtractDecimals(stated, sumOf(booked.slice(0, first + 1)));
}

/** Returns the balance after the last line in the same way. */
export function runningClosing(lines: readonly ParsedLine[], profile: StatementProfile): Decimal | undefined {
  if (!profile.balancesFromRunning || profile.closing !== undefined) return undefined;
  const booked = bookedLines(lines);
  const last = booked.findLastIndex(({ balanceAfter }) => balanceAfter !== undefined);
  const stated = booked[last]?.balanceAfter;
  if (stated === undefined || restsOnOne(booked, profile.opening)) return undefined;
  return addDecimals(stated, sumOf(booked.slice(last + 1)));
}

/** Returns the booked lines. A bank may write a provisional balance beside a pending line, or none. */
function bookedLines(lines: readonly ParsedLine[]): ParsedLine[] {
  return lines.filter(({ status }) => status === 'booked');
}

/**
 * Returns whether both ends would follow from one balance of several lines: they would then agree whatever is missing.
 */
function restsOnOne(booked: readonly ParsedLine[], otherEnd: StatementProfile['opening']): boolean {
  const stated = booked.filter(({ balanceAfter }) => balanceAfter !== undefined);
  return otherEnd === undefined && stated.length === 1 && booked.length > 1;
}

function sumOf(lines: readonly ParsedLine[]): Decimal {
  return lines.reduce((sum, { amount }) => addDecimals(sum, amount), ZERO_DECIMAL);
}
