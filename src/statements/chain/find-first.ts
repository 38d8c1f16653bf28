import type { Statement } from '../statement-records';
import type { ChainStore } from './chain-store';
import { balancesOf } from './day-slice';

/**
 * Returns, of statements that begin on one day, the first of that day: no other one reaches its opening balance later.
 * If several fit, the first one in the list.
 */
export async function findFirst(chain: ChainStore, statements: readonly Statement[]): Promise<Statement | undefined> {
  const [first, another] = statements;
  if (first === undefined || another === undefined) return first;
  const reached = new Map<string, ReadonlySet<number>>();
  for (const statement of statements) {
    const { id, firstDate } = statement;
    const slice = firstDate && (await chain.sliceOn(statement, firstDate));
    reached.set(id, new Set(slice === undefined ? [] : balancesOf(slice).slice(1)));
  }
  const begins = ({ id, openingMinor }: Statement): boolean =>
    openingMinor !== undefined &&
    statements.every((other) => other.id === id || reached.get(other.id)?.has(openingMinor) !== true);
  return statements.find(begins) ?? first;
}
