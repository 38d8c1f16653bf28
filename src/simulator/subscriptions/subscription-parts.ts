import type { SimOperation } from '../core/operation';
import type { TimelineHandlers } from '../core/timeline';
import { computeFee, FEE_COMPUTED } from './charge-fee';
import { CHARGE_COMPLETED, completeCharge } from './complete-charge';
import { createSubscriptionOperation } from './create-subscription';
import { CHARGE_DUE, chargeWhenDue, DEBIT, debitWallet } from './debit';
import { listChargesOperation, retrieveSubscriptionOperation } from './read-subscription';

/** Interface section 4.2. */
export const subscriptionOperations: readonly SimOperation[] = [
  createSubscriptionOperation,
  retrieveSubscriptionOperation,
  listChargesOperation,
];

export const subscriptionEvents: TimelineHandlers = {
  [CHARGE_DUE]: chargeWhenDue,
  [DEBIT]: debitWallet,
  [CHARGE_COMPLETED]: completeCharge,
  [FEE_COMPUTED]: computeFee,
};
