import type { Session } from '../../db';
import { AppError, type BusinessDate } from '../../kernel';
import { areOfOtherDays } from '../chain/bank-days';
import { type ChainStore, openChain, type StoredSliceLine } from '../chain/chain-store';
import { isOtherPart, isProven } from '../chain/find-contradiction';
import { formatMinorUnits } from '../reading/currencies';
import type { Statement } from '../statement-records';

/**
 * Checks that a waiting statement may become effective beside the effective statements of its days. Lines with the same
 * identity are the same line, so an acceptance does not post them again. Other lines of one day may be the same
 * movements, with the references of another format:
 *
 * - An unproven statement may not add lines to a day that a proven one covers. As in an import, it may add another part
 *   of the first or last day.
 * - Of any two statements, each may have lines that the other lacks, but not of the same amount. A person compared them,
 *   and accepts that the lines differ.
 *
 * @throws AppError `statement_repeats`.
 */
export async function requireNoRepetition(session: Session, statement: Statement): Promise<void> {
  const chain = openChain(session);
  const effective = (await chain.effectiveOn(statement)).filter((other) => !areOfOtherDays(other, statement));
  for (const day of await newDays(chain, statement, effective)) {
    const own = (await chain.linesOn(statement.id, day)).lines;
    const others: OnDay[] = [];
    for (const other of effective.filter((each) => covers(each, day))) {
      others.push({ other, lines: (await chain.linesOn(other.id, day)).lines });
    }
    const fresh = without(
      own,
      others.flatMap(({ lines }) => lines),
    );
    if (fresh.length === 0) continue;
    for (const { other, lines } of others) {
      const missing = without(lines, own);
      if (!(await isDoubtful(chain, { statement, other, day }, { fresh, missing }))) continue;
      throw new AppError('statement_repeats', {
        statementId: statement.id,
        otherId: other.id,
        day,
        amount: sumText(without(own, lines), statement),
        otherAmount: sumText(missing, statement),
      });
    }
  }
}

interface OnDay {
  readonly other: Statement;
  readonly lines: readonly StoredSliceLine[];
}

/** Returns the days on which a statement has lines that one of the others, which covers them, lacks. */
async function newDays(
  chain: ChainStore,
  statement: Statement,
  others: readonly Statement[],
): Promise<readonly BusinessDate[]> {
  const days = new Set<BusinessDate>();
  for (const other of others) {
    for (const day of await chain.daysOfForeignLines(other, statement)) days.add(day);
  }
  return [...days].sort();
}

interface Pair {
  readonly statement: Statement;
  readonly other: Statement;
  readonly day: BusinessDate;
}

interface Differences {
  /** Lines of the statement that no effective statement has. */
  readonly fresh: readonly StoredSliceLine[];
  /** Lines of the other statement that the statement lacks. */
  readonly missing: readonly StoredSliceLine[];
}

/** Returns whether new lines of a day may be movements of an effective statement, or a proven one denies them. */
async function isDoubtful(
  chain: ChainStore,
  { statement, other, day }: Pair,
  { fresh, missing }: Differences,
): Promise<boolean> {
  const areProven = isProven(statement) && isProven(other);
  const amounts = new Set(missing.map(({ amountMinor }) => amountMinor));
  const isRepeated = fresh.some(({ amountMinor }) => amounts.has(amountMinor));
  // Balances that are not proven do not show that equal amounts are two movements.
  if (isRepeated && !areProven) return true;
  // A longer export continues the last day of a shorter one.
  const isLonger = missing.length === 0 && (day === other.firstDate || day === other.lastDate);
  const isDenied = !isProven(statement) && isProven(other) && !isLonger;
  return (isRepeated || isDenied) && !(await isOtherPart(chain, other, statement, day));
}

function covers({ firstDate, lastDate }: Statement, day: BusinessDate): boolean {
  return firstDate !== undefined && lastDate !== undefined && firstDate <= day && day <= lastDate;
}

function without(lines: readonly StoredSliceLine[], others: readonly StoredSliceLine[]): StoredSliceLine[] {
  const known = new Set(others.map(({ identity }) => identity));
  return lines.filter(({ identity }) => !known.has(identity));
}

function sumText(lines: readonly StoredSliceLine[], { currency }: Statement): string {
  return formatMinorUnits(
    lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    currency,
  );
}
