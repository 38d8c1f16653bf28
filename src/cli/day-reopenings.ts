import type { Proposal } from '../breaks';
import type { ListedSeal } from '../reconciliation';

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
