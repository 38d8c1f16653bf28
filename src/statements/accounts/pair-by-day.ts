import type { Session } from '../../db';
import { addToGroup, type BusinessDate } from '../../kernel';
import { isWhole } from '../chain/bank-days';
import { openChain } from '../chain/chain-store';
import { openRepeatedLines } from '../repeated-line-store';
import type { Statement, StatementLine } from '../statement-records';
import { openStatements } from '../statement-store';
import { type DoubledLine, openOverlaps } from './overlap-store';

/**
 * Returns the movements that two files state with other references or texts, as two formats of one bank do: under one
 * of the names, and under another name of the account. Lines are one movement if both statements are proven, have the
 * same balance before their first common day, and the same amounts on each common day. `paired` are the lines that are
 * found already.
 */
export async function pairByDay(
  session: Session,
  names: readonly string[],
  paired: readonly DoubledLine[],
): Promise<DoubledLine[]> {
  const taken = new Set(paired.flatMap(({ line, other }) => [line.id, other.id]));
  const found: DoubledLine[] = [];
  for (const [statement, other] of await provenPairs(session, names)) {
    const common = await commonLines(session, statement, other);
    const repeated = await openRepeatedLines(session).repeated(common.flat().map(({ id }) => id));
    const [own, others] = common.map((lines) => lines.filter(({ id }) => !taken.has(id) && !repeated.has(id)));
    for (const pair of matchByPlace(own ?? [], others ?? [])) {
      taken.add(pair.line.id).add(pair.other.id);
      found.push(pair);
    }
  }
  return found;
}

/** Returns the proven statements of these names, each with a proven one of another name that has days of it. */
async function provenPairs(session: Session, names: readonly string[]): Promise<[Statement, Statement][]> {
  const pairs: [Statement, Statement][] = [];
  for (const name of names) {
    for (const statement of (await openOverlaps(session).statementsOf(name)).filter(isWhole)) {
      const others = await openChain(session).overlapping(statement);
      const ofOthers = others.filter((other) => isWhole(other) && !names.includes(other.account));
      pairs.push(...ofOthers.map((other): [Statement, Statement] => [statement, other]));
    }
  }
  return pairs;
}

type Lines = readonly StatementLine[];

/** Returns the lines of the common days of two statements; none if their amounts or their balances differ. */
async function commonLines(session: Session, a: Statement, b: Statement): Promise<readonly [Lines, Lines]> {
  const [own, others] = [await linesOf(session, a), await linesOf(session, b)];
  const from = [a.firstDate, b.firstDate].flatMap((day) => day ?? []).sort()[1];
  const through = [a.lastDate, b.lastDate].flatMap((day) => day ?? []).sort()[0];
  if (from === undefined || through === undefined) return [[], []];
  const isCommon = ({ bookingDate }: StatementLine): boolean => bookingDate >= from && bookingDate <= through;
  const [first, second] = [own.filter(isCommon), others.filter(isCommon)];
  const isSame =
    first.map(placeOf).sort().join() === second.map(placeOf).sort().join() &&
    balanceBefore(from, a, own) === balanceBefore(from, b, others);
  return isSame ? [first, second] : [[], []];
}

async function linesOf(session: Session, { id }: Statement): Promise<Lines> {
  return (await openStatements(session).lines(id)).map(({ line }) => line);
}

function balanceBefore(day: BusinessDate, { openingMinor = 0 }: Statement, lines: Lines): number {
  return lines.reduce((sum, { bookingDate, amountMinor }) => sum + (bookingDate < day ? amountMinor : 0), openingMinor);
}

function placeOf({ bookingDate, amountMinor }: StatementLine): string {
  return `${bookingDate} ${amountMinor}`;
}

/** Pairs lines of equal day and amount, in the order of their statements. */
function matchByPlace(own: Lines, others: Lines): DoubledLine[] {
  const left = new Map<string, StatementLine[]>();
  for (const other of others) addToGroup(left, placeOf(other), other);
  return own.flatMap((line) => {
    const other = left.get(placeOf(line))?.shift();
    return other === undefined ? [] : [{ line, other }];
  });
}
