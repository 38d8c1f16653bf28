import { addDays, type BusinessDate, dayOfWeek, type Instant, MINUTE_MS } from '../../../src/kernel';
import type { SeededRandom } from '../../../src/simulator';
import type { Period } from './period';
import type { Schedule } from './plan';

const CUT_MINUTES = { min: 10 * 60, max: 20 * 60, step: 15 } as const;
const EARLY_CUT_MINUTES = { min: 8 * 60, max: 12 * 60, step: 15 } as const;
/** The gateway's own job begins on time, or some minutes later. */
const JITTERS_MS = [0, 150_000, 600_000] as const;
const SKIPPED_DAY_PPM = 200_000;
const SECOND_CUT_PPM = 150_000;
const TWO_CUTS_APART_MINUTES = 5 * 60;
const DRIFT_MINUTES = { min: 2 * 60, max: 5 * 60, step: 15 } as const;
const ON_DEMAND_DAYS = [1, 6] as const;
const ON_DEMAND_MINUTES = [8 * 60, 18 * 60] as const;
/** The job that compares what is open with a threshold. */
const JOB_MINUTES = [8 * 60, 20 * 60] as const;
const JOB_EVERY_MINUTES = [5, 15, 60] as const;

/** Returns the instants of all cuts, in order, on the gateway's clock. */
export function planCuts(random: SeededRandom, schedule: Schedule, period: Period): readonly Instant[] {
  if (schedule.kind === 'on_demand') return cutsOnDemand(random, period);
  const plan = dayPlan(random, schedule, period);
  const jitterMs = random.fork('jitter').pick(JITTERS_MS);
  return period.days
    .filter(({ isWorkingDay }) => isWorkingDay)
    .flatMap(({ date }) => plan(date).map((minute) => period.at(date, minute) + random.int(0, jitterMs)));
}

/** Returns a function that gives the minutes of a working day at which there are cuts, in order. */
function dayPlan(
  random: SeededRandom,
  schedule: Exclude<Schedule, { kind: 'on_demand' }>,
  period: Period,
): (date: BusinessDate) => readonly number[] {
  const minute = minuteOf(random, CUT_MINUTES);
  switch (schedule.kind) {
    case 'daily': {
      const early = minuteOf(random, EARLY_CUT_MINUTES);
      const both = [early, Math.max(minute, early + TWO_CUTS_APART_MINUTES)];
      return () => (schedule.cutsPerDay === 1 ? [minute] : both);
    }
    case 'daily_at':
      return () => [schedule.minuteOfDay];
    case 'daily_between':
      return () => [random.int(...schedule.minutes)];
    case 'drifting': {
      const drift = minuteOf(random, DRIFT_MINUTES) * random.pick([1, -1]);
      const start = drift > 0 ? CUT_MINUTES.min : CUT_MINUTES.max;
      const indexes = new Map(period.days.map(({ date }, index) => [date, index]));
      return (date) => [start + Math.round((drift * (indexes.get(date) ?? 0)) / period.days.length)];
    }
    case 'threshold': {
      const every = random.pick(JOB_EVERY_MINUTES);
      const [from, to] = JOB_MINUTES;
      return () => Array.from({ length: (to - from) / every + 1 }, (_, index) => from + index * every);
    }
    case 'weekly': {
      const weekday = random.int(1, 5);
      return (date) => (isWeeklyCut(date, weekday, period) ? [minute] : []);
    }
    case 'irregular':
      return () => irregularDay(random);
    case 'change': {
      const middle = period.days[Math.floor(period.days.length / 2)]?.date ?? period.lastDay;
      const weekday = random.int(1, 5);
      const other = minuteOf(random, EARLY_CUT_MINUTES);
      const becomesWeekly = random.chance(500_000);
      return (date) => {
        if (date < middle) return [minute];
        if (becomesWeekly) return isWeeklyCut(date, weekday, period) ? [minute] : [];
        return [other];
      };
    }
  }
}

/** Returns cuts on any day, also on a day off. */
function cutsOnDemand(random: SeededRandom, { days, at }: Period): readonly Instant[] {
  const cuts: Instant[] = [];
  for (let index = random.int(...ON_DEMAND_DAYS) - 1; index < days.length; index += random.int(...ON_DEMAND_DAYS)) {
    const day = days[index];
    const second = random.int(0, MINUTE_MS - 1);
    if (day !== undefined) cuts.push(at(day.date, random.int(...ON_DEMAND_MINUTES)) + second);
  }
  return cuts;
}

/** A weekly cut that falls on a day off moves to the next working day. */
function isWeeklyCut(date: BusinessDate, weekday: number, { workingDays }: Period): boolean {
  const planned = addDays(date, -((dayOfWeek(date) - weekday + 7) % 7));
  return workingDays.onOrAfter(planned) === date;
}

function irregularDay(random: SeededRandom): readonly number[] {
  if (random.chance(SKIPPED_DAY_PPM)) return [];
  const first = random.int(9 * 60, 13 * 60);
  return random.chance(SECOND_CUT_PPM) ? [first, first + random.int(3 * 60, 7 * 60)] : [first + random.int(0, 6 * 60)];
}

function minuteOf(
  random: SeededRandom,
  range: { readonly min: number; readonly max: number; readonly step: number },
): number {
  return range.min + range.step * random.int(0, (range.max - range.min) / range.step);
}
