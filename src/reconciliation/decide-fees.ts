import { checkReason, openAuditTrail, requireScope, type Actor } from '../identity';
import { AppError } from '../kernel';
import type { FeeRule } from '../payout-inference';
import { writeFeeRules } from './fee-rules-json';
import { openFeeSchedules, type FeeSchedule } from './fee-schedule-store';
import type { ReconcileDeps } from './reconcile-deps';

export interface ConfirmFeesCommand {
  readonly reason: string;
  readonly actor: Actor;
  readonly dryRun: boolean;
}

export interface GiveFeesCommand extends ConfirmFeesCommand {
  /** All that holds from now on; none of them for a gateway that keeps nothing. */
  readonly rules: readonly FeeRule[];
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
      const schedule = await schedules.holdCurrent();
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

/**
 * Says what the gateway keeps, as by its contract: no run learns another. Matches that stand keep the fees that they have.
 *
 * @throws AppError `forbidden`, `bad_input` for a reason that says nothing, `conflict` when the same holds on somebody's word
 * already.
 */
export async function giveFees(
  { database, clock }: Pick<ReconcileDeps, 'database' | 'clock'>,
  { rules, reason, actor, dryRun }: GiveFeesCommand,
): Promise<FeeSchedule> {
  requireScope(actor, 'reconciliation:decide');
  checkReason(reason, 'how the fees are known');
  const at = clock.now();
  return database.transact(
    async (session) => {
      const schedules = openFeeSchedules(session);
      const current = await schedules.holdCurrent();
      if (current?.confirmedBy !== undefined && writeFeeRules(current.rules) === writeFeeRules(rules)) {
        throw new AppError('conflict', `these fees hold already, on the word of ${current.confirmedBy}`);
      }
      const given = { rules, lineIds: [], firstDate: undefined, lastDate: undefined, recordedAt: at };
      const id = await schedules.add({ ...given, runId: undefined, recordedBy: actor.name });
      await schedules.confirm(id, { name: actor.name, reason, at });
      const detail = { reason, rules: rules.length };
      await openAuditTrail(session).record({
        ...{ at, actor, action: 'fees.given', subject: `fee-schedule:${id}`, detail },
      });
      return { ...given, id, confirmedBy: actor.name, confirmedAt: at };
    },
    { dryRun, retryDuplicate: true },
  );
}
