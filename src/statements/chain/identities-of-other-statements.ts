import type { BusinessDate } from '../../kernel';
import type { Statement } from '../statement-records';
import { areOfOtherDays } from './bank-days';
import type { ChainStore, StoredSlice } from './chain-store';
import { areApart, type DaySlice } from './day-slice';

/** A bank issues a few statements a day, not hundreds. */
const STATEMENTS_OF_A_DAY_MAX = 200;

/**
 * Returns the identities of lines that differ from a statement's own lines, however equal they look. They belong to
 * statements of other days by the dates of their balances. Or they are on its first day before it begins, or on its
 * last day after it ends, in statements whose balances it continues or that continue it.
 *
 * A statement whose lines of the day add up to 0 is excluded: its balance fits before and after the day, so it is
 * probably a second export of the day.
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

/**
 * Returns the opening balance of a statement that begins on this day, because another one may precede it on the day.
 */
function startOn({ firstDate, openingMinor }: Statement, day: BusinessDate): number | undefined {
  return firstDate === day ? openingMinor : undefined;
}

function endOn({ lastDate, closingMinor }: Statement, day: BusinessDate): number | undefined {
  return lastDate === day ? closingMinor : undefined;
}

/**
 * Returns the proven statements that share the first or the last day of a proven one in ways that balances alone do not
 * decide.
 */
export async function findNeighbors(chain: ChainStore, statement: Statement): Promise<Neighbor[]> {
  const found: Neighbor[] = [];
  if (statement.verdict !== 'ok' || statement.kind !== 'statement') return found;
  for (const day of new Set([statement.firstDate, statement.lastDate])) {
    if (day === undefined) continue;
    for (const other of await chain.bordering(statement, day)) {
      if (areOfOtherDays(other, statement)) continue; // their lines count as others anyway
      const slice = await chain.sliceOn(other, day);
      if (slice !== undefined && slice.lines.length > 0) found.push({ day, slice });
    }
  }
  return found;
}

/** The part of a day in another statement. */
export interface Neighbor {
  readonly day: BusinessDate;
  readonly slice: StoredSlice;
}

/**
 * Returns the identities of the lines of neighbors that have another part of the day, although a statement between them
 * is missing. With the missing one, they will precede or follow this statement.
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
