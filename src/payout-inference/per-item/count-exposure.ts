import { HOUR_MS } from '../../kernel';
import { at } from '../at';
import { LAGS } from '../cut-rates';
import type { DayGrid } from '../day-grid';
import { BIN_MS, BINS, dayKindOf, type ExposureCounts, type PayoutHazard } from './payout-hazard';
import { type Wait, WAIT_DAYS_MAX } from './wait-of-item';

/** An item whose availability has a wider interval shows little about the time of cuts. */
const OPEN_MAX_MS = HOUR_MS;
const DAYS_MAX = 2 * WAIT_DAYS_MAX;

/**
 * Adds one item that was booked on a day. Its cut is spread over the possible times as the current hazard expects it.
 * Before its cut the item was at risk, which also shows when no cut was made.
 */
export function countExposure(
  counts: ExposureCounts,
  hazard: PayoutHazard,
  grid: DayGrid,
  { wait, bookingDay, share }: { readonly wait: Wait; readonly bookingDay: number; readonly share: number },
): void {
  const firstDay = grid.dayOf(wait.until);
  if (wait.until - wait.after > OPEN_MAX_MS || bookingDay < firstDay || bookingDay - firstDay > DAYS_MAX) return;
  const bins = BINS;
  const days = bookingDay - firstDay + 1;
  const into = (wait.until - at(grid.startAt, firstDay)) / BIN_MS;
  const firstBin = Math.min(bins - 1, Math.floor(into));
  const firstPart = Math.max(0, firstBin + 1 - into);
  const chances = new Float64Array(days * bins);
  const open = Math.max(wait.from, wait.seenOpen);
  const close = Math.min(wait.to, wait.seenTaken);
  let untaken = 1;
  // Both loops over the bins read arrays millions of times, so they do without `at`.
  let total = 0;
  for (let day = 0; day < days; day += 1) {
    const { start, kind, lag } = dayOf(grid, firstDay + day, bookingDay);
    const ofLag = hazard.lag(lag);
    for (let bin = day === 0 ? firstBin : 0; bin < bins; bin += 1) {
      const all = hazard.untaken[kind * bins + bin] ?? 1;
      const left = day === 0 && bin === firstBin ? all ** firstPart : all;
      const from = start + bin * BIN_MS;
      if (ofLag > 0 && from + BIN_MS > open && from < close) {
        const chance = untaken * (1 - left) * ofLag;
        chances[day * bins + bin] = chance;
        total += chance;
      }
      untaken *= left;
    }
  }
  if (!(total > 0)) return;
  const { taken, atRisk } = counts;
  let stillThere = 0;
  for (let day = days - 1; day >= 0; day -= 1) {
    const { kind, lag } = dayOf(grid, firstDay + day, bookingDay);
    let ofDay = 0;
    for (let bin = bins - 1; bin >= (day === 0 ? firstBin : 0); bin -= 1) {
      const place = kind * bins + bin;
      const chance = ((chances[day * bins + bin] ?? 0) * share) / total;
      stillThere += chance;
      ofDay += chance;
      const part = day === 0 && bin === firstBin ? firstPart : 1;
      taken[place] = (taken[place] ?? 0) + chance;
      atRisk[place] = (atRisk[place] ?? 0) + stillThere * part;
    }
    if (lag >= 0 && lag < LAGS) counts.lag[lag] = at(counts.lag, lag) + ofDay;
  }
}

function dayOf(
  grid: DayGrid,
  day: number,
  bookingDay: number,
): { readonly start: number; readonly kind: number; readonly lag: number } {
  return { start: at(grid.startAt, day), kind: dayKindOf(grid, day), lag: grid.lag(day, bookingDay) };
}
