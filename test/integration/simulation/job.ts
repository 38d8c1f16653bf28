import { expect } from '@jest/globals';
import { type Database, rowsOf } from '../../../src/db';
import { millimes, MINUTE_MS, newId } from '../../../src/kernel';
import { DUES_ASSESSED, OPENING_BALANCES, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import type { Job } from '../../../src/scheduler';
import { runDueWindows } from '../../../src/scheduler/testing';
import { TESTER } from '../../support/factories';
import type { ProcessRooms } from './process';
import type { Settle } from './scene';

/** The lease of the job. A race pauses its holder for less or for more. */
export const JOB_LEASE_MS = 2 * MINUTE_MS;
export const JOB_AMOUNT = 7;
const WINDOW_MS = 10 * MINUTE_MS;

interface Runner {
  readonly database: Database;
  readonly rooms: ProcessRooms;
  readonly settle: Settle;
}

/** Runs the due windows of the job in one process. */
export async function runDueJob({ database, rooms, settle }: Runner): Promise<void> {
  const { clock, calendar } = rooms;
  const { signal: never } = new AbortController();
  const stopping = { stopped: never, leave: never, aborted: never };
  const deps = { database, clock, calendar, logger: silentLogger, clockJumps: false };
  await settle('run the job', () => runDueWindows(deps, postOnce(database, rooms), clock.now() - WINDOW_MS, stopping));
}

/** Reads in one transaction whether its window was posted, and posts in a second one: its lease alone keeps them together. */
function postOnce(database: Database, { clock }: ProcessRooms): Job {
  return {
    name: 'post-once',
    cron: '*/10 * * * *',
    leaseMs: JOB_LEASE_MS,
    catchUpMax: 1,
    async run(window, _signal, lease) {
      const reference = `job:${window}:`;
      const known = await database.read((session) =>
        rowsOf(session('ledger_transactions').select('id').where('reference', 'like', `${reference}%`)),
      );
      if (known.length > 0) return;
      await database.transact(async (session) => {
        await lease.requireHeld(session);
        const at = clock.now();
        await openLedger(session).post([
          {
            ...{ id: newId(), reference: `${reference}${newId()}`, code: 'reversal' },
            ...{ occurredAt: at, recordedAt: at, recordedBy: TESTER.name },
            postings: [{ debit: OPENING_BALANCES, credit: DUES_ASSESSED, amount: millimes(JOB_AMOUNT) }],
          },
        ]);
      });
    },
  };
}

/** How many windows have not ended, and how many had more than one holder. */
export async function holdersOf(database: Database): Promise<{ readonly open: number; readonly takenOver: number }> {
  const rows = await database.read((session) => rowsOf(session('job_runs').select('status', 'fencing')));
  return {
    open: rows.filter(({ status }) => status === 'running').length,
    takenOver: rows.filter(({ fencing }) => Number(fencing) > 1).length,
  };
}

/** Counts the windows that the job has posted since, and asserts that it posted each once. */
export async function newEffects(database: Database, windows: Set<string>): Promise<number> {
  const rows = await database.read((session) =>
    rowsOf(session('ledger_transactions').select('reference').where('reference', 'like', 'job:%')),
  );
  const posted = rows.map((row) => String(row['reference']).split(':')[1] ?? '');
  expect(posted.length).toBe(new Set(posted).size);
  const before = windows.size;
  for (const window of posted) windows.add(window);
  return windows.size - before;
}
