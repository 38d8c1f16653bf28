import { checkReason, openAuditTrail, requireScope, type Actor } from '../identity';
import { AppError, type Instant } from '../kernel';
import type { FeeRule } from '../payout-inference';
import { writeFeeRules } from './fee-rules-json';
import { openFeeSchedules, type FeeSchedule, type FeeSchedules } from './fee-schedule-store';
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

type FeeDeps = Pick<ReconcileDeps, 'database' | 'clock'>;

/**
 * Takes responsibility for the fee schedule that runs have learned: from then on it is given, and no run learns another.
 *
 * @throws AppError `forbidden`, `bad_input` for a reason that says nothing, `not_found` when nothing was learned yet,
 * `conflict` when it is confirmed already.
 */
export function confirmFees(deps: FeeDeps, command: ConfirmFeesCommand): Promise<FeeSchedule> {
  return decide(deps, command, 'fees.confirmed', {}, async (schedules) => {
    const schedule = await schedules.holdCurrent();
    if (schedule === undefined) throw new AppError('not_found', 'no fee schedule was learned yet');
    if (schedule.confirmedBy !== undefined) {
      throw new AppError('conflict', `${schedule.confirmedBy} has confirmed this schedule already`);
    }
    return schedule;
  });
}

/**
 * Says what the gateway keeps, as by its contract: no run learns another. Matches that stand keep the fees that they have.
 *
 * @throws AppError `forbidden`, `bad_input` for a reason that says nothing, `conflict` when a person confirmed the same
 * already.
 */
export function giveFees(deps: FeeDeps, { rules, ...command }: GiveFeesCommand): Promise<FeeSchedule> {
  return decide(deps, command, 'fees.given', { rules: rules.length }, async (schedules, at) => {
    const current = await schedules.holdCurrent();
    if (current?.confirmedBy !== undefined && writeFeeRules(current.rules) === writeFeeRules(rules)) {
      throw new AppError('conflict', `these fees hold already, on the word of ${current.confirmedBy}`);
    }
    const given = { rules, lineIds: [], firstDate: undefined, lastDate: undefined, recordedAt: at };
    const id = await schedules.add({ ...given, runId: undefined, recordedBy: command.actor.name });
    return { ...given, id };
  });
}

/** Confirms the schedule that was found or made, on the word of one person, and leaves a trace of it. */
async function decide(
  { database, clock }: FeeDeps,
  { reason, actor, dryRun }: ConfirmFeesCommand,
  action: 'fees.confirmed' | 'fees.given',
  said: Readonly<Record<string, number>>,
  scheduleOf: (schedules: FeeSchedules, at: Instant) => Promise<Omit<FeeSchedule, 'confirmedBy' | 'confirmedAt'>>,
): Promise<FeeSchedule> {
  requireScope(actor, 'reconciliation:decide');
  checkReason(reason, 'how the fees are known');
  const at = clock.now();
  return database.transact(
    async (session) => {
      const schedules = openFeeSchedules(session);
      const schedule = await scheduleOf(schedules, at);
      await schedules.confirm(schedule.id, { name: actor.name, reason, at });
      const subject = `fee-schedule:${schedule.id}`;
      await openAuditTrail(session).record({ at, actor, action, subject, detail: { reason, ...said } });
      return { ...schedule, confirmedBy: actor.name, confirmedAt: at };
    },
    { dryRun, retryDuplicate: true },
  );
}
