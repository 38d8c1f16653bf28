import { addDays, type BusinessDate } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { localInstant } from '../payouts/payout-dates';

/** The last day whose cuts are over: no later cut adds a line to it, so a statement of it is final. */
export function lastClosedDay({ settings, calendar, now }: Simulation): BusinessDate {
  const at = now();
  const today = calendar.dateOf(at);
  const isOver = settings.payouts.cutTimes.every((time) => localInstant(calendar, today, time) <= at);
  return isOver ? today : addDays(today, -1);
}
