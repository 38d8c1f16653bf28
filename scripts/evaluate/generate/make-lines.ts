import {
  type BusinessDate,
  type Instant,
  type Millimes,
  millimes,
  MINUTE_MS,
  negateMillimes,
} from '../../../src/kernel';
import type { BankLine } from '../../../src/payout-inference';
import type { PayoutPlan, SeededRandom } from '../../../src/simulator';
import type { TrueLine } from '../world';
import type { Period } from './period';
import type { FaultPlan, WorldPlan } from './plan';
import type { CutPayout } from './planned-cuts';
import { pickWeighted, type Weighted } from './weighted';

const LINE_ID_DIGITS = 10;
/** The hours of the bank's morning in which it sends the previous day's transfers. */
const TRANSFER_MINUTES = [8 * 60, 10 * 60] as const;
const SAME_DAY_TRANSFER_MINUTES = [20, 80] as const;
/** Most banks book on the next working day. */
const STEADY_LAGS: readonly Weighted<number>[] = [
  [0, 1],
  [1, 7],
  [2, 1],
];
const RETURN_WORKING_DAYS = [1, 3] as const;
const PAID_AGAIN_PPM = 750_000;
const SPLIT_LATER_PPM = 500_000;
const SURPRISE_MILLIMES = [50, 2_000] as const;
const SURPRISE_STEP_MILLIMES = 10;
/** A charge of one size: 250 millimes to 12 dinars. */
const ONE_SURPRISE_STEPS = [1, 48] as const;
const ONE_SURPRISE_STEP_MILLIMES = 250;

/** What happens to one payout at the bank; nearly always `plain`. */
type Fate = 'plain' | 'surprise_fee' | 'returned' | 'merged' | 'split' | 'missing';

/** A line of the bank with its truth. Its payouts may contain items that no file lists. */
export interface MadeLine {
  readonly line: BankLine;
  readonly kind: TrueLine['kind'];
  readonly payouts: readonly CutPayout[];
  /** The amount that the gateway kept beyond its schedule. */
  readonly surpriseMillimes: number;
}

export interface MadeLines {
  /** In booking order, including those after the end of the statement. */
  readonly lines: readonly MadeLine[];
  /** The instant from which the items of a payout show PAID. */
  readonly transferAt: ReadonlyMap<string, Instant>;
  /** Payouts that never appear on a line. */
  readonly missing: readonly CutPayout[];
}

export interface MakeLinesRequest {
  readonly random: SeededRandom;
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly payoutPlan: PayoutPlan;
  readonly payouts: readonly CutPayout[];
}

/** Returns the lines that the bank books for the payouts. */
export function makeLines(request: MakeLinesRequest): MadeLines {
  const { random, plan, period, payouts } = request;
  const lags = lagsOf(random, plan);
  const kept = surpriseOf(random.fork('surprise'), plan);
  const lines: MadeLine[] = [];
  const missing: CutPayout[] = [];
  const transferAt = new Map<string, Instant>();
  let waiting: readonly CutPayout[] = [];
  for (const payout of payouts) {
    const chance = random.fork(`line:${payout.payoutId}`);
    const dates = bankDates(chance, payout, { period, lags });
    transferAt.set(payout.payoutId, dates.transferAt);
    const earlier = waiting.filter(({ stream }) => stream === payout.stream);
    const fate = earlier.length > 0 ? 'plain' : fateOf(chance, plan.faults);
    if (fate === 'merged') {
      waiting = [...waiting, payout];
      continue;
    }
    waiting = waiting.filter(({ stream }) => stream !== payout.stream);
    if (fate === 'missing') missing.push(payout);
    else {
      const together = [...earlier, payout];
      lines.push(...linesOf(chance, { fate, kept, together, bookingDate: dates.bookingDate }, request));
    }
  }
  return { lines, transferAt, missing: [...missing, ...waiting] };
}

function lagsOf(random: SeededRandom, { bookingLags }: WorldPlan): readonly Weighted<number>[] {
  if (bookingLags !== 'steady') return bookingLags;
  return [[pickWeighted(random.fork('lag'), STEADY_LAGS), 1]];
}

function surpriseOf(random: SeededRandom, { surprise }: WorldPlan): number | undefined {
  switch (surprise) {
    case 'any':
      return undefined;
    case 'one':
      return random.int(...ONE_SURPRISE_STEPS) * ONE_SURPRISE_STEP_MILLIMES;
    default:
      return surprise;
  }
}

/** Every chance is drawn whether it matters or not, so that no rate affects the draws of another. */
function fateOf(chance: SeededRandom, faults: FaultPlan): Fate {
  const fates: readonly (readonly [Fate, number])[] = [
    ['surprise_fee', faults.surpriseFeePpm],
    ['returned', faults.returnedPpm],
    ['merged', faults.mergedPpm],
    ['split', faults.splitPpm],
    ['missing', faults.missingLinePpm],
  ];
  const drawn = fates.filter(([, ppm]) => chance.chance(ppm));
  return drawn[0]?.[0] ?? 'plain';
}

function bankDates(
  chance: SeededRandom,
  { cutAt }: CutPayout,
  { period, lags }: { readonly period: Period; readonly lags: readonly Weighted<number>[] },
): { readonly transferAt: Instant; readonly bookingDate: BusinessDate } {
  const cutDay = period.workingDays.onOrAfter(period.dateOf(cutAt));
  const lag = pickWeighted(chance, lags);
  const sameDay = cutAt + chance.int(...SAME_DAY_TRANSFER_MINUTES) * MINUTE_MS;
  const nextDay = period.at(period.workingDays.add(cutDay, 1), chance.int(...TRANSFER_MINUTES));
  return { transferAt: lag === 0 ? sameDay : nextDay, bookingDate: period.workingDays.add(cutDay, lag) };
}

interface CreditPlan {
  readonly fate: Fate;
  /** What each surprise fee keeps; undefined: another sum each time. */
  readonly kept: number | undefined;
  readonly together: readonly CutPayout[];
  readonly bookingDate: BusinessDate;
}

function linesOf(
  chance: SeededRandom,
  { fate, kept, together, bookingDate }: CreditPlan,
  { period, payoutPlan }: MakeLinesRequest,
): MadeLine[] {
  const { workingDays } = period;
  const { counterparty, remittance } = payoutPlan;
  const net = millimes(together.reduce((sum, { netMillimes }) => sum + netMillimes, 0));
  const make = (kind: TrueLine['kind'], on: BusinessDate, amount: Millimes, surpriseMillimes = 0): MadeLine => ({
    line: newBankLine(chance, {
      bookingDate: on,
      valueDate: workingDays.add(on, chance.int(0, 1)),
      amount,
      counterparty,
      remittance: kind === 'return_debit' ? `RETOUR ${remittance}` : remittance,
    }),
    kind,
    payouts: together,
    surpriseMillimes,
  });
  switch (fate) {
    case 'surprise_fee': {
      const drawn = chance.int(...SURPRISE_MILLIMES) * SURPRISE_STEP_MILLIMES;
      const surprise = Math.min(kept ?? drawn, Math.floor(net / 2));
      return [make('payout', bookingDate, millimes(net - surprise), surprise)];
    }
    case 'returned': {
      const returnedOn = workingDays.add(bookingDate, chance.int(...RETURN_WORKING_DAYS));
      const againOn = workingDays.add(returnedOn, chance.int(...RETURN_WORKING_DAYS));
      const isPaidAgain = chance.chance(PAID_AGAIN_PPM);
      return [
        make('returned_credit', bookingDate, net),
        make('return_debit', returnedOn, negateMillimes(net)),
        ...(isPaidAgain ? [make('paid_again', againOn, net)] : []),
      ];
    }
    case 'split': {
      if (net < 2) return [make('payout', bookingDate, net)];
      const first = millimes(chance.int(1, net - 1));
      const secondOn = chance.chance(SPLIT_LATER_PPM) ? workingDays.add(bookingDate, 1) : bookingDate;
      return [make('split', bookingDate, first), make('split', secondOn, millimes(net - first))];
    }
    default:
      return [make(together.length > 1 ? 'merged' : 'payout', bookingDate, net)];
  }
}

/** Assigns a line its own id, even if it equals another line. */
export function newBankLine(chance: SeededRandom, line: Omit<BankLine, 'lineId'>): BankLine {
  return { ...line, lineId: `line-${chance.hex(LINE_ID_DIGITS)}` };
}
