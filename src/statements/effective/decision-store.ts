import type { Session } from '../../db';
import type { Acceptance, Exclusion } from '../statement-records';
import { ACCEPTANCE, EXCLUSION } from '../statement-rows';

/** Adds the decisions of people on waiting statements. A second one of a kind fails with `duplicate_key`. */
export interface DecisionStore {
  accept(acceptance: Acceptance): Promise<void>;
  exclude(exclusion: Exclusion): Promise<void>;
}

export function openDecisions(session: Session): DecisionStore {
  return {
    async accept(acceptance) {
      await session('statement_acceptances').insert(ACCEPTANCE.write(acceptance));
    },
    async exclude(exclusion) {
      await session('statement_exclusions').insert(EXCLUSION.write(exclusion));
    },
  };
}
