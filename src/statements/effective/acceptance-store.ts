import type { Session } from '../../db';
import type { Acceptance } from '../statement-records';
import { ACCEPTANCE } from '../statement-rows';

export interface AcceptanceStore {
  /** Adds an acceptance. Fails with `duplicate_key` if the statement was accepted before. */
  add(acceptance: Acceptance): Promise<void>;
}

export function openAcceptances(session: Session): AcceptanceStore {
  return {
    async add(acceptance) {
      await session('statement_acceptances').insert(ACCEPTANCE.write(acceptance));
    },
  };
}
