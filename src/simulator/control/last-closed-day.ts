import { addDays, type BusinessDate } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { localInstant } from '../payouts/payout-dates';

/** Returns the last day whose cuts have all passed. No later cut adds a line to it, so its statement is final. */
export function lastClosedDay({ settings, calendar, now }: Simulation): BusinessDate {
  const at = now();
  const today = calendar.dateOf(at);
  const isOver = settings.payouts.cutTimes.every((time) => localInstant(calendar, today, time) <= at);
  return isOver ? today : addDays(today, -1);
}
