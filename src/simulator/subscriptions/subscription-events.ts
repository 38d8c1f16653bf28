import type { TimelineHandlers } from '../core/timeline';
import { computeFee, FEE_COMPUTED } from './charge-fee';
import { CHARGE_DUE, chargeWhenDue, DEBIT, debitWallet } from './debit';
import { CHARGE_SETTLED, settleCharge } from './settle-charge';

export const subscriptionEvents: TimelineHandlers = {
  [CHARGE_DUE]: chargeWhenDue,
  [DEBIT]: debitWallet,
  [CHARGE_SETTLED]: settleCharge,
  [FEE_COMPUTED]: computeFee,
};
