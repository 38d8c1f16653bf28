import { afterAll } from '@jest/globals';
import { type FaultRow, recordFault } from '../../support/faults';
import { damageOf } from './audit';
import type { Installation } from './installation';
import type { Journal } from './journal';

type Head = Pick<FaultRow, 'fault' | 'what' | 'database'>;

/** The row of one fault, from what its callers were answered and what then lay in the database. */
export interface FaultTally {
  /** Counts a round in. Before anything is asserted of it, so that a round that went wrong stands in the table too. */
  add(installation: Installation, journal: Journal): Promise<void>;
  /** Adds something that was measured to what the row says, such as `p99 12 ms`. */
  note(measured: string): void;
  /** Adds up over the rounds how often something happened, such as `cuts`. */
  count(what: string, times: number): void;
}

/** Starts the row of a suite; it is recorded when the suite ends. */
export function tallyFault(head: Head): FaultTally {
  const total = { rounds: 0, acknowledged: 0, lost: 0, doubled: 0, longestMs: 0 };
  const notes: string[] = [];
  const counts = new Map<string, number>();
  afterAll(() => {
    const counted = [...counts].map(([what, times]) => `${times} ${what}`);
    if (total.rounds > 0) recordFault({ ...head, what: [head.what, ...counted, ...notes].join(', '), ...total });
  });
  return {
    async add(installation, journal) {
      const { acknowledged, lost, doubled } = await damageOf(installation, journal);
      total.rounds += 1;
      total.acknowledged += acknowledged;
      total.lost += lost;
      total.doubled += doubled;
      total.longestMs = Math.max(total.longestMs, journal.longestAnswerMs);
    },
    note: (measured) => notes.push(measured),
    count: (what, times) => counts.set(what, (counts.get(what) ?? 0) + times),
  };
}
