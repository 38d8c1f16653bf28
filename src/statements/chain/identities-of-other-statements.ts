import type { BusinessDate } from '../../kernel';
import type { Statement } from '../statement-records';
import { areOfOtherDays } from './bank-days';
import type { ChainStore, StoredSlice } from './chain-store';
import { type DaySlice, haveSameEdge, overlapsOf } from './day-slice';

/** A bank makes a few statements a day, not hundreds. */
const STATEMENTS_OF_A_DAY_MAX = 200;

/**
 * The identities of lines that are others than a statement's own, however equal: those of statements of other days by the
 * dates of their balances; and those that stand on its first day before it begins, or on its last day after it ends, in
 * the statements whose balances it continues, or that continue it.
 *
 * A statement whose lines of the day add up to nothing is left out: its balance fits before and after the day alike, and
 * it is more likely the same day exported twice.
 */
export async function identitiesOfOtherStatements(chain: ChainStore, statement: Statement): Promise<Set<string>> {
  const taken = new Set<string>();
  const { firstDate, lastDate, openingMinor, closingMinor } = statement;
  for (const other of await chain.overlapping(statement)) {
    if (!areOfOtherDays(other, statement)) continue;
    for (const identity of await chain.identitiesWithin(statement, other.id)) taken.add(identity);
  }
  if (firstDate !== undefined && openingMinor !== undefined) {
    await walk(chain, { statement, day: firstDate, balance: openingMinor, direction: 'before' }, taken);
  }
  if (lastDate !== undefined && closingMinor !== undefined) {
    await walk(chain, { statement, day: lastDate, balance: closingMinor, direction: 'after' }, taken);
  }
  return taken;
}

interface Walk {
  readonly statement: Statement;
  readonly day: BusinessDate;
  readonly balance: number;
  readonly direction: 'before' | 'after';
}

async function walk(
  chain: ChainStore,
  { statement, day, balance, direction }: Walk,
  taken: Set<string>,
): Promise<void> {
  const seen = new Set([statement.id]);
  for (let at: number | undefined = balance; at !== undefined && seen.size < STATEMENTS_OF_A_DAY_MAX;) {
    const candidates: Statement[] =
      direction === 'before' ? await chain.endingOn(statement, day, at) : await chain.beginningOn(statement, day, at);
    const next = await firstThatMoves(
      chain,
      candidates.filter(({ id }) => !seen.has(id)),
      day,
    );
    if (next === undefined) return;
    seen.add(next.statement.id);
    next.identities.forEach((identity) => taken.add(identity));
    at = direction === 'before' ? startOn(next.statement, day) : endOn(next.statement, day);
  }
}

async function firstThatMoves(
  chain: ChainStore,
  candidates: readonly Statement[],
  day: BusinessDate,
): Promise<{ statement: Statement; identities: readonly string[] } | undefined> {
  for (const statement of candidates) {
    const { identities, netMinor } = await chain.linesOn(statement.id, day);
    if (netMinor !== 0) return { statement, identities };
  }
  return undefined;
}

/** The balance with which a statement begins, when it begins on this very day: then another may stand before it. */
function startOn({ firstDate, openingMinor }: Statement, day: BusinessDate): number | undefined {
  return firstDate === day ? openingMinor : undefined;
}

function endOn({ lastDate, closingMinor }: Statement, day: BusinessDate): number | undefined {
  return lastDate === day ? closingMinor : undefined;
}

/** The statements with which a proven one shares its first or its last day, in ways that balances alone do not decide. */
export async function findNeighbors(chain: ChainStore, statement: Statement): Promise<Neighbor[]> {
  const found: Neighbor[] = [];
  if (statement.verdict !== 'ok' || statement.kind !== 'statement') return found;
  for (const day of new Set([statement.firstDate, statement.lastDate])) {
    if (day === undefined) continue;
    for (const other of await chain.bordering(statement, day)) {
      if (areOfOtherDays(other, statement)) continue; // they are taken as it is
      const slice = await chain.sliceOn(other, day);
      if (slice !== undefined && slice.lines.length > 0) found.push({ day, slice });
    }
  }
  return found;
}

/** The part of a day that another statement has. */
export interface Neighbor {
  readonly day: BusinessDate;
  readonly slice: StoredSlice;
}

/**
 * Returns the identities of the lines of neighbors that have another part of the day, although something is missing in
 * between: with it, they will be statements before or after this one.
 */
export function identitiesOfNeighbors(
  neighbors: readonly Neighbor[],
  statement: Statement,
  lines: readonly { readonly bookingDate: BusinessDate; readonly amountMinor: number }[],
): string[] {
  const { openingMinor, firstDate, lastDate } = statement;
  if (openingMinor === undefined || firstDate === undefined || lastDate === undefined) return [];
  const sliceOn = (day: BusinessDate): DaySlice => ({
    startMinor: lines.reduce((sum, line) => (line.bookingDate < day ? sum + line.amountMinor : sum), openingMinor),
    lines: lines.filter(({ bookingDate }) => bookingDate === day),
    reachesBack: firstDate < day,
    reachesOn: lastDate > day,
  });
  return neighbors
    .filter(({ day, slice }) => areApart(sliceOn(day), slice))
    .flatMap(({ slice }) => slice.lines.map(({ identity }) => identity));
}

function areApart(a: DaySlice, b: DaySlice): boolean {
  return overlapsOf(a, b).length === 0 && !haveSameEdge(a, b);
}
