import type { Database } from '../db';
import { AppError } from '../kernel';
import type { Facts } from './facts';
import { openFeeSchedules, type NewSchedule } from './fee-schedule-store';
import type { RunPlan } from './plan-run';

/**
 * Stores what a run has learned of the fees, if it is news, as long as what it knew of them still holds: it does not push
 * aside what a person has confirmed or entered meanwhile, nor what another run has learned.
 *
 * @throws AppError `duplicate_key` when others hold since the run read its facts.
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
    const id = await schedules.add({ ...learned, ...by });
    const now = await schedules.holdBeside(id);
    if (now?.id !== known?.id || now?.confirmedBy !== known?.confirmedBy) {
      throw new AppError('duplicate_key', 'other fees hold meanwhile');
    }
  });
}
