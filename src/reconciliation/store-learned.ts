import type { Database } from '../db';
import { AppError } from '../kernel';
import type { Facts } from './facts';
import { type NewSchedule, openFeeSchedules } from './fee-schedule-store';
import type { RunPlan } from './plan-run';

/**
 * Stores the fees that a run has learned, unless they are already stored. Never replaces fees that a person or another
 * run stored after this run read its facts.
 * @throws AppError `duplicate_key` if other fees are in force since then.
 */
export async function storeLearned(
  database: Database,
  { learned, isLearnedStored }: RunPlan,
  { schedule, interrupted }: Facts,
  by: Pick<NewSchedule, 'runId' | 'recordedAt' | 'recordedBy'>,
): Promise<void> {
  if (learned === undefined || isLearnedStored) return;
  const known = interrupted.schedule ?? schedule;
  await database.transact(async (session) => {
    const schedules = openFeeSchedules(session);
    const now = await schedules.holdCurrent();
    if (now?.id !== known?.id || now?.confirmedBy !== known?.confirmedBy) {
      throw new AppError('duplicate_key', 'other fees came into force during the run');
    }
    await schedules.add({ ...learned, ...by });
  });
}
