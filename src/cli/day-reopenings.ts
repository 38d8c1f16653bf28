import type { Proposal } from '../breaks';
import { ROWS_EXAMINED_MAX, rowsOfPages } from '../kernel';
import type { DayClosing, ListedSeal, SealKey } from '../reconciliation';

/** Returns the whole chain of seals, in order. */
export async function everySeal(dayClosing: Pick<DayClosing, 'list'>): Promise<ListedSeal[]> {
  const chain = await rowsOfPages<ListedSeal, SealKey>(Infinity, (after) =>
    dayClosing.list({ after, limit: ROWS_EXAMINED_MAX }),
  );
  return chain.sort((a, b) => a.number - b.number);
}

/**
 * Returns the open proposals to reopen a closed day, in the shape of a break's proposals. The chain of seals stores and
 * decides them; `breaks proposals` only lists them.
 */
export function dayReopenings(chain: readonly ListedSeal[]): Proposal[] {
  return chain.flatMap(({ date, stands, proposal }) => {
    if (!stands || proposal === undefined) return [];
    const { reason, proposedBy, proposedAt } = proposal;
    const subject = `day:${date}`;
    return [
      {
        ...{ id: subject, subject, breakId: undefined, reason, proposedBy, proposedAt, decision: undefined },
        action: { kind: 'reopen_day', payload: { approveBy: `close-day ${date} --reopen --approve` } },
      },
    ];
  });
}
