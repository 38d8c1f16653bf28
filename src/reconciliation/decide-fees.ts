import { checkReason, openAuditTrail, type ReasonedDecision, requireScope } from '../identity';
import { AppError, type Instant } from '../kernel';
import type { FeeRule } from '../payout-inference';
import { writeFeeRules } from './fee-rules-json';
import { type FeeSchedule, type FeeSchedules, openFeeSchedules } from './fee-schedule-store';
import type { ReconcileDeps } from './reconcile-deps';

export interface GiveFeesCommand extends ReasonedDecision {
  /** All rules from now on; empty for a gateway without fees. */
  readonly rules: readonly FeeRule[];
}

type FeeDeps = Pick<ReconcileDeps, 'database' | 'clock'>;

/**
 * Confirms the fee schedule that runs have learned: from then on it is given, and no run learns another.
 *
 * @throws AppError `forbidden`, `bad_input` for a blank reason, `not_found` if no schedule exists, `conflict` if it is
 * confirmed.
 */
export function confirmFees(deps: FeeDeps, command: ReasonedDecision): Promise<FeeSchedule> {
  return decide(deps, command, 'fees.confirmed', {}, async (schedules) => {
    const schedule = await schedules.holdCurrent();
    if (schedule === undefined) throw new AppError('no_fee_schedule', {});
    if (schedule.confirmedBy !== undefined) throw new AppError('fees_confirmed', { by: schedule.confirmedBy });
    return schedule;
  });
}

/**
 * Stores the gateway's fees as its contract states them. No run learns other fees, and live matches keep theirs.
 * @throws AppError `forbidden`, `bad_input` for a blank reason, `conflict` if a person confirmed the same fees.
 */
export function giveFees(deps: FeeDeps, { rules, ...command }: GiveFeesCommand): Promise<FeeSchedule> {
  return decide(deps, command, 'fees.given', { rules: rules.length }, async (schedules, at) => {
    const current = await schedules.holdCurrent();
    if (current?.confirmedBy !== undefined && writeFeeRules(current.rules) === writeFeeRules(rules)) {
      throw new AppError('fees_in_force', { by: current.confirmedBy });
    }
    const given = { rules, lineIds: [], firstDate: undefined, lastDate: undefined, recordedAt: at };
    const id = await schedules.add({ ...given, runId: undefined, recordedBy: command.actor.name });
    return { ...given, id };
  });
}

/** Confirms a found or new schedule for one person, and records that in the audit trail. */
async function decide(
  { database, clock }: FeeDeps,
  { reason, actor, dryRun }: ReasonedDecision,
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
