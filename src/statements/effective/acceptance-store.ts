import type { Session } from '../../db';
import type { Acceptance } from '../statement-records';
import { ACCEPTANCE } from '../statement-rows';

export interface AcceptanceStore {
  /** Fails with `duplicate_key` when the statement was accepted before. */
  add(acceptance: Acceptance): Promise<void>;
}

export function openAcceptances(session: Session): AcceptanceStore {
  return {
    async add(acceptance) {
      await session('statement_acceptances').insert(ACCEPTANCE.write(acceptance));
    },
  };
}
