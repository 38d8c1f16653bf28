import { magicPayerOf } from '../core/magic-amounts';
import type { SeededRandom } from '../core/seeded-random';
import type { SimulatorSettings } from '../core/settings';
import type { PayingType } from './next-payment-status';

/** An action of an automatic customer and its delay after the creation of the payment. */
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
  /** The type of the customer's saved payment method, if one exists. */
  readonly savedType: PayingType | undefined;
}

const LATE_AFTER_SECS = 60;

/**
 * Plans the customer's actions. A magic amount decides in both modes; otherwise chance decides in `auto`, and nothing
 * is planned in `manual`. `random` belongs to this payment, so payments do not influence each other.
 */
export function planPayer(
  facts: PayerFacts,
  { payer }: Pick<SimulatorSettings, 'payer'>,
  random: SeededRandom,
): readonly PayerStep[] {
  const { afterSecs } = payer;
  // All are drawn even if unused, so that changing one rate changes only its own effect.
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
