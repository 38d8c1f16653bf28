import { addDays, type BusinessDate, fingerprintOf } from '../kernel';
import { digestRows } from './digest-rows';
import { writeFeeRules } from './fee-rules-json';
import type { PlanDeps, RunPlan } from './plan-run';
import type { RunInputs } from './run-store';

/** Raise it with each change that may change an answer of the inference. */
export const ENGINE_VERSION = '8';

/** The working days around the lines that can affect their matches. */
const CALENDAR_MARGIN_DAYS = 62;

/**
 * Returns the inputs of a run, from which a replay computes the same digests. Pure. `engineVersion`: of the recorded run,
 * so that another engine alone is no difference of the settings.
 */
export async function toRunInputs(
  plan: RunPlan,
  deps: PlanDeps,
  engineVersion: string = ENGINE_VERSION,
): Promise<RunInputs> {
  const { request, horizon, scheduleGiven, matches, outcome } = plan;
  const fees = scheduleGiven === undefined ? undefined : writeFeeRules(scheduleGiven.rules);
  return {
    knownUntil: plan.after.knownUntil,
    openLineIds: request.lines.map(({ lineId }) => lineId),
    settingsDigest: fingerprintOf(
      engineVersion,
      fees ?? null,
      deps.maxError,
      deps.calendar.timeZone,
      daysOff(
        request.lines.map(({ bookingDate }) => bookingDate),
        horizon,
        deps,
      ),
    ),
    requestDigest: await digestRows(
      request.items,
      request.observations,
      request.lines,
      [request.history ?? null],
      ...(request.asserted === undefined ? [] : [request.asserted]),
    ),
    answerDigest: await digestRows(
      matches.map(({ id: _id, ...match }) => match),
      // Later versions state candidates as well; the digest of earlier runs has none.
      outcome.credits.map(({ candidates: _candidates, ...credit }) => credit),
      outcome.items,
      outcome.breaks,
    ),
    engineVersion,
    fees,
    feesConfirmed: scheduleGiven?.confirmedBy !== undefined,
    errorMax: deps.maxError,
    horizon,
  };
}

function daysOff(bookings: readonly BusinessDate[], horizon: BusinessDate, { workingDays }: PlanDeps): string[] {
  const first = bookings.reduce((earliest, day) => (day < earliest ? day : earliest), horizon);
  const last = addDays(horizon, CALENDAR_MARGIN_DAYS);
  const off: string[] = [];
  for (let day = addDays(first, -CALENDAR_MARGIN_DAYS); day <= last; day = addDays(day, 1)) {
    if (!workingDays.isWorkingDay(day)) off.push(day);
  }
  return off;
}
