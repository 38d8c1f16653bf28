import type { Proposal } from '../breaks';
import type { ListedSeal } from '../reconciliation';

/**
 * The proposals to open a closed day again that wait for a second person, in the shape of those of the desk. They are
 * kept and decided with the chain of seals, so that each stands and falls with its closing; here they are only shown.
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
