import type { Session } from '../../db';
import type { Acceptance } from '../statement-records';

export interface AcceptanceStore {
  /** Fails with `duplicate_key` when the statement was accepted before. */
  add(acceptance: Acceptance): Promise<void>;
}

export function openAcceptances(session: Session): AcceptanceStore {
  return {
    async add({ statementId, acceptedAt, acceptedBy, reason }) {
      await session('statement_acceptances').insert({
        statement_id: statementId,
        accepted_at: acceptedAt,
        accepted_by: acceptedBy,
        reason,
      });
    },
  };
}
