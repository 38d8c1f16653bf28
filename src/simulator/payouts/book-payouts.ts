import { type BusinessCalendar, millimes, negateMillimes, type WorkingDays } from '../../kernel';
import type { SeededRandom } from '../core/seeded-random';
import type { BankLine } from './bank-line';
import { newLine } from './new-line';
import { sumMillimes } from './payable-item';
import type { Payout } from './payout';
import type { CutRequest } from './payout-dates';

/** The longest time between a credit and its return, and between the return and the next try. */
const RETURN_WORKING_DAYS_MAX = 3;
/** The second half of a split payout arrives on the day of the first half or on the next one. */
const SPLIT_WORKING_DAYS_MAX = 1;

type BookPayoutsRequest = Omit<CutRequest, 'cutAt'>;

export interface Booked {
  readonly lines: readonly BankLine[];
  /** Payouts whose money arrives with the next payout of their stream. */
  readonly waiting: readonly Payout[];
}

/**
 * Creates the bank lines for the payouts of a cut: one credit each, except for the deviations of the plan. It returns
 * all lines, including those of later days. Every chance is drawn even if it is unused, so that one rate does not
 * change another's effect.
 */
export function bookPayouts(
  payouts: readonly Payout[],
  waitingBefore: readonly Payout[],
  request: BookPayoutsRequest,
): Booked {
  const { plan, random } = request;
  let waiting = waitingBefore;
  const lines: BankLine[] = [];
  for (const payout of payouts) {
    const chance = random.fork(`book:${payout.payoutId}`);
    const [isJoined, isReturned, isSplit] = [
      chance.chance(plan.deviations.joinedPpm),
      chance.chance(plan.deviations.returnedPpm),
      chance.chance(plan.deviations.splitPpm),
    ];
    const earlier = waiting.filter(({ stream }) => stream === payout.stream);
    if (isJoined && earlier.length === 0) {
      waiting = [...waiting, payout];
      continue;
    }
    waiting = waiting.filter(({ stream }) => stream !== payout.stream);
    const credit = creditFor([...earlier, payout], payout, request, chance);
    if (isReturned) lines.push(...returnedAndPaidAgain(credit, request.bankDays.workingDays, chance));
    else if (isSplit && credit.amountMillimes > 1) lines.push(...inTwo(credit, request.bankDays.workingDays, chance));
    else lines.push(credit);
  }
  return { lines, waiting };
}

function creditFor(
  together: readonly Payout[],
  last: Payout,
  { plan, bankDays }: BookPayoutsRequest,
  chance: SeededRandom,
): BankLine {
  return newLine(chance, {
    bookingDate: last.bookingDate,
    valueDate: last.valueDate,
    amountMillimes: sumMillimes(together.map(({ netMillimes }) => netMillimes)),
    counterparty: plan.counterparty,
    remittance: remittanceOf(plan.remittance, last, bankDays.calendar),
    cause: { kind: 'payout', payoutIds: together.map(({ payoutId }) => payoutId), part: 1, parts: 1 },
  });
}

function remittanceOf(pattern: string, payout: Payout, calendar: BusinessCalendar): string {
  return pattern
    .replaceAll('{payout}', () => payout.payoutId)
    .replaceAll('{stream}', () => payout.stream)
    .replaceAll('{cut}', () => calendar.dateOf(payout.cutAt));
}

function returnedAndPaidAgain(credit: BankLine, workingDays: WorkingDays, chance: SeededRandom): BankLine[] {
  const payoutIds = credit.cause.kind === 'payout' ? credit.cause.payoutIds : [];
  const { lineId, counterparty, amountMillimes } = credit;
  const returnedOn = workingDays.add(credit.bookingDate, chance.int(1, RETURN_WORKING_DAYS_MAX));
  const paidAgainOn = workingDays.add(returnedOn, chance.int(1, RETURN_WORKING_DAYS_MAX));
  const returned = newLine(chance, {
    bookingDate: returnedOn,
    valueDate: returnedOn,
    amountMillimes: negateMillimes(amountMillimes),
    counterparty,
    remittance: `RETOUR ${credit.remittance}`,
    cause: { kind: 'payout_returned', payoutIds, returnsLineId: lineId },
  });
  const again = newLine(chance, {
    bookingDate: paidAgainOn,
    valueDate: paidAgainOn,
    amountMillimes,
    counterparty,
    remittance: credit.remittance,
    cause: { kind: 'payout_paid_again', payoutIds, returnsLineId: lineId },
  });
  return [credit, returned, again];
}

function inTwo(credit: BankLine, workingDays: WorkingDays, chance: SeededRandom): BankLine[] {
  const payoutIds = credit.cause.kind === 'payout' ? credit.cause.payoutIds : [];
  const first = millimes(chance.int(1, credit.amountMillimes - 1));
  const days = chance.int(0, SPLIT_WORKING_DAYS_MAX);
  const { counterparty, remittance } = credit;
  const rest = newLine(chance, {
    bookingDate: workingDays.add(credit.bookingDate, days),
    valueDate: workingDays.add(credit.valueDate, days),
    amountMillimes: millimes(credit.amountMillimes - first),
    counterparty,
    remittance,
    cause: { kind: 'payout', payoutIds, part: 2, parts: 2 },
  });
  return [{ ...credit, amountMillimes: first, cause: { kind: 'payout', payoutIds, part: 1, parts: 2 } }, rest];
}
