import { formatInstant, millimes } from '../../kernel';
import type { BankLine } from './bank-line';
import { newLine } from './new-line';
import { type CutRequest, payoutDates } from './payout-dates';

const AMOUNT_MILLIMES_MIN = 1_000;
const AMOUNT_MILLIMES_MAX = 2_500_000;

const CREDITS = ['VERSEMENT ESPECES', 'VIR RECU SOCIETE EL AMEL', 'REMISE DE CHEQUE 4410'] as const;
const DEBITS = ["COMMISSION D'ENCAISSEMENT", 'LOYER DU DEPOT', 'PRELEVEMENT STEG'] as const;

export interface UnrelatedRequest extends CutRequest {
  /** The number of lines that the bank already has, so that two cuts at one instant create different lines. */
  readonly linesBefore: number;
}

/** Creates lines that do not concern the gateway, on the day on which the bank books the payouts of a cut. */
export function unrelatedLines({ plan, cutAt, bankDays, random, linesBefore }: UnrelatedRequest): BankLine[] {
  const chance = random.fork(`unrelated:${formatInstant(cutAt)}:${linesBefore}`);
  const { bookingDate } = payoutDates(cutAt, plan, bankDays);
  const hasCredit = chance.chance(plan.deviations.unrelatedCreditPpm);
  const hasDebit = chance.chance(plan.deviations.unrelatedDebitPpm);
  const line = (remittance: string, sign: 1 | -1): BankLine =>
    newLine(chance, {
      bookingDate,
      valueDate: bookingDate,
      amountMillimes: millimes(sign * chance.int(AMOUNT_MILLIMES_MIN, AMOUNT_MILLIMES_MAX)),
      counterparty: '',
      remittance,
      cause: { kind: 'unrelated' },
    });
  return [...(hasCredit ? [line(chance.pick(CREDITS), 1)] : []), ...(hasDebit ? [line(chance.pick(DEBITS), -1)] : [])];
}
