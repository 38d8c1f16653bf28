import { addDays, millimes } from '../../../src/kernel';
import type { SeededRandom } from '../../../src/simulator';
import { type MadeLine, newBankLine } from './make-lines';
import type { Period } from './period';
import type { WorldPlan } from './plan';

const OTHER_PAYERS = ['STE EL AMEL', 'MAGASIN CENTRAL', 'TRESORERIE GENERALE'] as const;
const OTHER_CREDITS = ['VIREMENT RECU', 'VERSEMENT ESPECES', 'REMISE DE CHEQUE 4410'] as const;
const OTHER_MILLIMES = [10, 4_000] as const;
const OTHER_STEP_MILLIMES = 500;
/** The last three digits stay, so that an invented amount looks like a real one. */
const LOOK_ALIKE_STEP_MILLIMES = 1_000;
const LOOK_ALIKE_STEPS = [1, 40] as const;

/** Invents credits of other payers, with other texts. */
export function inventUnrelated(random: SeededRandom, plan: WorldPlan, { days, filesFrom }: Period): MadeLine[] {
  return days
    .filter(({ isWorkingDay, startAt }) => isWorkingDay && startAt >= filesFrom)
    .filter(() => random.chance(plan.faults.unrelatedCreditPpm))
    .map(({ date }) =>
      unrelated(
        newBankLine(random, {
          bookingDate: date,
          valueDate: date,
          amount: millimes(random.int(...OTHER_MILLIMES) * OTHER_STEP_MILLIMES),
          counterparty: random.pick(OTHER_PAYERS),
          remittance: random.pick(OTHER_CREDITS),
        }),
      ),
    );
}

/** Invents credits beside real ones, with their text and day and another amount. */
export function inventLookAlikes(
  random: SeededRandom,
  plan: WorldPlan,
  period: Period,
  real: readonly MadeLine[],
): MadeLine[] {
  return real
    .filter(({ line }) => line.amount > 0 && random.chance(plan.faults.lookAlikePpm))
    .map(({ line }) => {
      const off = random.int(...LOOK_ALIKE_STEPS) * LOOK_ALIKE_STEP_MILLIMES;
      const isLess = random.chance(500_000) && line.amount > off;
      const bookingDate = period.workingDays.onOrAfter(addDays(line.bookingDate, random.int(0, 1)));
      const amount = millimes(line.amount + (isLess ? -off : off));
      return unrelated(newBankLine(random, { ...line, bookingDate, valueDate: bookingDate, amount }));
    });
}

function unrelated(line: MadeLine['line']): MadeLine {
  return { line, kind: 'unrelated', payouts: [], surpriseMillimes: 0 };
}
