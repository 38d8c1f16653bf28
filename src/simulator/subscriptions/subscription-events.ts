import type { TimelineHandlers } from '../core/timeline';
import { computeFee, FEE_COMPUTED } from './charge-fee';
import { CHARGE_COMPLETED, completeCharge } from './complete-charge';
import { CHARGE_DUE, chargeWhenDue, DEBIT, debitWallet } from './debit';

export const subscriptionEvents: TimelineHandlers = {
  [CHARGE_DUE]: chargeWhenDue,
  [DEBIT]: debitWallet,
  [CHARGE_COMPLETED]: completeCharge,
  [FEE_COMPUTED]: computeFee,
};
