import type { Millime } from '../compose';
import type { ListedStatement } from '../statements';

const RUNS_MAX = 50;

/**
 * Returns the command that reconciles statements whose lines were posted; undefined if none was. It covers the days of
 * earlier runs as well, because a run through an earlier day changes no breaks.
 */
export async function nextReconcile(
  { reconciliation }: Pick<Millime, 'reconciliation'>,
  statements: readonly ListedStatement[],
): Promise<string | undefined> {
  const posted = statements.filter(({ statement: { kind }, isWaiting }) => !isWaiting && kind !== 'interim');
  const days = posted.flatMap(({ statement: { lastDate } }) => (lastDate === undefined ? [] : [lastDate]));
  if (days.length === 0) return undefined;
  const { rows: runs } = await reconciliation.runs({ limit: RUNS_MAX });
  const last = [...days, ...runs.map(({ through }) => through)].sort().at(-1) ?? '';
  return `millime reconcile --through ${last}`;
}
