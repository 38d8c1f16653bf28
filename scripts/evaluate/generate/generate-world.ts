import { compareBytes, type Instant } from '../../../src/kernel';
import { createSeededRandom, type Payout, type SeededRandom } from '../../../src/simulator';
import type { World, WorldSize } from '../world';
import { makeOurClock } from './clock-skew';
import { fileItems } from './file-items';
import { inventLookAlikes, inventUnrelated } from './invent-lines';
import { makeItems } from './make-items';
import { type MadeLine, makeLines } from './make-lines';
import { type Journey, makeObservations } from './make-observations';
import { payOut } from './pay-out';
import { makePeriod, type Period } from './period';
import type { WorldPlan } from './plan';
import { planCuts } from './plan-cuts';
import { worldTruth } from './world-truth';

export interface WorldRequest {
  readonly scenario: string;
  readonly plan: WorldPlan;
  readonly seed: number;
  readonly size: WorldSize;
}

/** Generates the truth, then the files that show a part of it. The same request gives the same world, byte for byte. */
export function generateWorld({ scenario, plan, seed, size }: WorldRequest): World {
  const random = createSeededRandom(`${scenario}:${seed}`);
  const period = makePeriod(random.fork('period'), { days: size.days, daysBefore: plan.daysBefore });
  const fees = plan.fees(random.fork('fees'), period);
  const made = makeItems(random.fork('items'), plan, period, size.items);
  const cuts = planCuts(random.fork('cuts'), plan.schedule, period);
  const paidOut = payOut({ random: random.fork('payouts'), plan, period, made, cuts, fees });
  const { payouts, payoutPlan } = paidOut;
  const bank = makeLines({ random: random.fork('bank'), plan, period, payoutPlan, payouts });
  const knownItems = made.items.filter(
    ({ itemId, succeededAt }) => !made.unknownIds.has(itemId) && succeededAt >= period.filesFrom,
  );
  const clock = makeOurClock(random.fork('clock'), period, plan.clockSkewMaxMs);
  const journeys = journeysOf(payouts, bank.transferAt);
  const observations = makeObservations({
    random: random.fork('looks'),
    plan,
    period,
    clock,
    items: knownItems,
    journeyOf: (itemId) => journeys.get(itemId),
    calledOff: paidOut.calledOff,
  });
  const lines = statementLines(
    [
      ...bank.lines,
      ...inventUnrelated(random.fork('unrelated'), plan, period),
      ...inventLookAlikes(random.fork('look-alikes'), plan, period, bank.lines),
      ...(plan.nothingPaid ? shadowLines(random.fork('shadow'), { plan, period, size }) : []),
    ],
    period,
  );
  return {
    scenario,
    seed,
    files: {
      items: fileItems(knownItems, {
        random: random.fork('files'),
        clock,
        observations,
        intervalsGiven: plan.intervalsGiven,
      }),
      observations,
      lines: lines.map(({ line }) => line),
      fees: plan.feesGiven ? fees : undefined,
      holidays: period.holidays,
    },
    truth: worldTruth({ plan, period, fees, made, paidOut, knownItems, observations, lines }),
  };
}

function journeysOf(payouts: readonly Payout[], transferAt: ReadonlyMap<string, Instant>): Map<string, Journey> {
  return new Map(
    payouts.flatMap(({ payoutId, cutAt, lines }) => {
      const journey = { cutAt, transferAt: transferAt.get(payoutId) ?? cutAt };
      return lines.map(({ itemId }): [string, Journey] => [itemId, journey]);
    }),
  );
}

/** The statement shows the days of the files, in booking order. */
function statementLines(lines: readonly MadeLine[], { filesFrom, lastDay, dateOf }: Period): MadeLine[] {
  const firstDay = dateOf(filesFrom);
  return lines
    .filter(({ line }) => line.bookingDate >= firstDay && line.bookingDate <= lastDay)
    .sort((a, b) => compareBytes(a.line.bookingDate, b.line.bookingDate) || compareBytes(a.line.lineId, b.line.lineId));
}

/** Returns the credits of a second world, which are another payer's money in these files. */
function shadowLines(
  random: SeededRandom,
  { plan, period, size }: { readonly plan: WorldPlan; readonly period: Period; readonly size: WorldSize },
): MadeLine[] {
  const shadow: WorldPlan = { ...plan, nothingPaid: false };
  const made = makeItems(random, shadow, period, size.items);
  const cuts = planCuts(random, shadow.schedule, period);
  const { payouts, payoutPlan } = payOut({ random, plan: shadow, period, made, cuts, fees: [] });
  const bank = makeLines({ random, plan: shadow, period, payoutPlan, payouts });
  return bank.lines.map(({ line }) => ({ line, kind: 'unrelated', payouts: [], surpriseMillimes: 0 }));
}
