import { magicPayerOf } from '../core/magic-amounts';
import type { SeededRandom } from '../core/seeded-random';
import type { SimulatorSettings } from '../core/settings';
import type { PayingType } from './next-payment-status';

/** An automatic action of a customer, this long after the payment was created. */
export interface PayerStep {
  readonly afterSecs: number;
  readonly outcome: 'success' | 'failure' | 'system_failure';
  readonly type: PayingType;
  /** Pays although the payment has failed (open point 40). */
  readonly late: boolean;
}

export interface PayerFacts {
  readonly amountMillimes: number;
  readonly acceptCard: boolean;
  /** How the customer's saved payment method pays, when there is one. */
  readonly savedType: PayingType | undefined;
}

const LATE_AFTER_SECS = 60;

/**
 * What the customer of a payment will do: what a magic amount says, in either mode; else in `auto` what chance says, and
 * in `manual` nothing. `random` is the payment's own, so that one payment's chance does not move another's.
 */
export function planPayer(
  facts: PayerFacts,
  { payer }: Pick<SimulatorSettings, 'payer'>,
  random: SeededRandom,
): readonly PayerStep[] {
  const { afterSecs } = payer;
  // Each is drawn whether it is needed or not: a changed rate then changes only what it says.
  const card = random.chance(payer.cardPpm);
  const mobile = random.chance(payer.mobilePpm);
  const failure = random.chance(payer.failurePpm);
  const abandons = random.chance(payer.abandonPpm);

  const type = typeOf(facts, { card, mobile });
  const step = (outcome: PayerStep['outcome']): PayerStep => ({ afterSecs, outcome, type, late: false });
  const magic = magicPayerOf(facts.amountMillimes);
  switch (magic) {
    case 'fails':
      return [step('failure')];
    case 'abandons':
      return [];
    case 'system_failure':
      return [step('system_failure')];
    case 'late_success':
      return [step('failure'), { ...step('success'), afterSecs: afterSecs + LATE_AFTER_SECS, late: true }];
    case 'renewals_fail':
      return [step('success')];
    case undefined:
      if (payer.mode === 'manual' || abandons) return [];
      return [step(failure ? 'failure' : 'success')];
  }
}

function typeOf(
  { acceptCard, savedType }: PayerFacts,
  { card, mobile }: { readonly card: boolean; readonly mobile: boolean },
): PayingType {
  if (savedType !== undefined && (savedType !== 'card' || acceptCard)) return savedType;
  if (card && acceptCard) return 'card';
  return mobile ? 'mpayment' : 'wallet';
}
