import { checkReason, openAuditTrail, requireScope, type Actor } from '../identity';
import { AppError } from '../kernel';
import { openFeeSchedules, type FeeSchedule } from './fee-schedule-store';
import type { ReconcileDeps } from './reconcile-deps';

export interface ConfirmFeesCommand {
  readonly reason: string;
  readonly actor: Actor;
  readonly dryRun: boolean;
}

/**
 * Takes responsibility for the fee schedule that runs have learned: from then on it is given, and no run learns another.
 *
 * @throws AppError `forbidden`, `bad_input` for a reason that says nothing, `not_found` when nothing was learned yet,
 * `conflict` when it is confirmed already.
 */
export async function confirmFees(
  { database, clock }: Pick<ReconcileDeps, 'database' | 'clock'>,
  { reason, actor, dryRun }: ConfirmFeesCommand,
): Promise<FeeSchedule> {
  requireScope(actor, 'reconciliation:decide');
  checkReason(reason, 'how the fees are known');
  const at = clock.now();
  return database.transact(
    async (session) => {
      const schedules = openFeeSchedules(session);
      const schedule = await schedules.current();
      if (schedule === undefined) throw new AppError('not_found', 'no fee schedule was learned yet');
      if (schedule.confirmedBy !== undefined) {
        throw new AppError('conflict', `${schedule.confirmedBy} has confirmed this schedule already`);
      }
      await schedules.confirm(schedule.id, { name: actor.name, reason, at });
      await openAuditTrail(session).record({
        at,
        actor,
        action: 'fees.confirmed',
        subject: `fee-schedule:${schedule.id}`,
        detail: { reason },
      });
      return { ...schedule, confirmedBy: actor.name, confirmedAt: at };
    },
    { dryRun, retryDuplicate: true },
  );
}
