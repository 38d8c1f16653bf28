import { type BusinessDate, compareBytes, type Instant } from '../../../src/kernel';
import { CHANNELS } from '../../../src/payout-inference';
import { createSeededRandom, type SeededRandom } from '../../../src/simulator';
import type { World, WorldSize } from '../world';
import { makeOurClock } from './clock-skew';
import { fileItems } from './file-items';
import { inventLookAlikes, inventUnrelated } from './invent-lines';
import { lateRecords } from './late-records';
import { makeItems } from './make-items';
import { type MadeLine, makeLines } from './make-lines';
import { type Journey, makeObservations } from './make-observations';
import { payOut } from './pay-out';
import { makePeriod, type Period } from './period';
import type { WorldPlan } from './plan';
import { type CutPayout, plannedCuts, streamsOf } from './planned-cuts';
import { worldTruth } from './world-truth';

/** Where in the period a statement begins that does not begin with it. */
const MIDDLE_PERCENT = [25, 65] as const;

export interface WorldRequest {
  readonly scenario: string;
  readonly plan: WorldPlan;
  readonly seed: number;
  readonly isGuard: boolean;
  readonly size: WorldSize;
}

/** Generates the truth, then the files that show a part of it. The same request gives the same world, byte for byte. */
export function generateWorld({ scenario, plan, seed, isGuard, size }: WorldRequest): World {
  const random = createSeededRandom(`${scenario}:${seed}`);
  const period = makePeriod(random.fork('period'), { days: size.days, daysBefore: plan.daysBefore });
  const fees = plan.fees(random.fork('fees'), period);
  const made = makeItems(random.fork('items'), plan, period, size.items);
  const cuts = plannedCuts({ random: random.fork('cuts'), plan, period, made });
  const paidOut = payOut({ random: random.fork('payouts'), plan, period, made, cuts, fees });
  const { payouts, payoutPlan } = paidOut;
  const bank = makeLines({ random: random.fork('bank'), plan, period, payoutPlan, payouts });
  const knownItems = made.items.filter(
    ({ itemId, succeededAt }) => !made.unknownIds.has(itemId) && succeededAt >= period.filesFrom,
  );
  const clock = makeOurClock(random.fork('clock'), period, plan.clockSkewMaxMs);
  const recordedAt = lateRecords(random.fork('late records'), plan, payouts, knownItems);
  const journeys = journeysOf(payouts, bank.transferAt);
  const observations = makeObservations({
    random: random.fork('looks'),
    plan,
    period,
    clock,
    items: knownItems,
    journeyOf: (itemId) => journeys.get(itemId),
    calledOff: paidOut.calledOff,
    recordedAt,
  });
  const lines = statementOf(random, { plan, period, size }, bank.lines);
  return {
    scenario,
    seed,
    isGuard,
    files: {
      items: fileItems(knownItems, {
        random: random.fork('files'),
        clock,
        recordedAt,
        observations,
        intervalsGiven: plan.intervalsGiven,
      }),
      observations,
      lines: lines.map(({ line }) => line),
      fees: plan.feesGiven ? fees : undefined,
      holidays: period.holidays,
    },
    truth: worldTruth({
      plan,
      period,
      fees,
      made,
      paidOut,
      bankLines: bank.lines,
      knownItems,
      observations,
      lines,
      recordedLateIds: new Set(recordedAt.keys()),
      streams: streamsOf(random.fork('cuts'), plan, CHANNELS),
    }),
  };
}

function journeysOf(payouts: readonly CutPayout[], transferAt: ReadonlyMap<string, Instant>): Map<string, Journey> {
  return new Map(
    payouts.flatMap(({ payoutId, cutAt, lines }) => {
      const journey = { cutAt, transferAt: transferAt.get(payoutId) ?? cutAt };
      return lines.map(({ itemId }): [string, Journey] => [itemId, journey]);
    }),
  );
}

interface StatementPlan {
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly size: WorldSize;
}

/** Returns the statement: the gateway's lines and those of other payers. */
function statementOf(
  random: SeededRandom,
  { plan, period, size }: StatementPlan,
  bankLines: readonly MadeLine[],
): MadeLine[] {
  return statementLines(
    [
      ...bankLines,
      ...inventUnrelated(random.fork('unrelated'), plan, period),
      ...inventLookAlikes(random.fork('look-alikes'), plan, period, bankLines),
      ...(plan.nothingPaid ? shadowLines(random.fork('shadow'), { plan, period, size }) : []),
    ],
    period,
    firstDayOf(random.fork('statement'), plan, period),
  );
}

function firstDayOf(
  random: SeededRandom,
  { statementFrom }: WorldPlan,
  { filesFrom, dateOf, days }: Period,
): BusinessDate {
  const firstDay = dateOf(filesFrom);
  if (statementFrom === 'start') return firstDay;
  const index = Math.round((days.length * random.int(...MIDDLE_PERCENT)) / 100);
  return days[index]?.date ?? firstDay;
}

/** The statement shows the days from its first one to the end of the files, in booking order. */
function statementLines(lines: readonly MadeLine[], { lastDay }: Period, firstDay: BusinessDate): MadeLine[] {
  return lines
    .filter(({ line }) => line.bookingDate >= firstDay && line.bookingDate <= lastDay)
    .sort((a, b) => compareBytes(a.line.bookingDate, b.line.bookingDate) || compareBytes(a.line.lineId, b.line.lineId));
}

/** Returns the credits of a second world, which are another payer's money in these files. */
function shadowLines(random: SeededRandom, { plan, period, size }: StatementPlan): MadeLine[] {
  const shadow: WorldPlan = { ...plan, nothingPaid: false };
  const made = makeItems(random, shadow, period, size.items);
  const cuts = plannedCuts({ random, plan: shadow, period, made });
  const { payouts, payoutPlan } = payOut({ random, plan: shadow, period, made, cuts, fees: [] });
  const bank = makeLines({ random, plan: shadow, period, payoutPlan, payouts });
  return bank.lines.map(({ line }) => ({ line, kind: 'unrelated', payouts: [], surpriseMillimes: 0 }));
}
