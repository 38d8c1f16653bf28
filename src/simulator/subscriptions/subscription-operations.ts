import type { SimOperation } from '../core/operation';
import { createSubscriptionOperation } from './create-subscription';
import { listChargesOperation, retrieveSubscriptionOperation } from './read-subscription';

/** Interface section 4.2. */
export const subscriptionOperations: readonly SimOperation[] = [
  createSubscriptionOperation,
  retrieveSubscriptionOperation,
  listChargesOperation,
];
