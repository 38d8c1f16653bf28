import type { SimOperation } from '../core/operation';
import { cancelPayment, confirmPayment } from './end-hold';
import { generatePayment } from './generate-payment';
import { listBindings } from './list-bindings';
import { refundPayment } from './refund-payment';
import { verifyPayment } from './verify-payment';

/** Hosted checkout (interface section 4.1). */
export const checkoutOperations: readonly SimOperation[] = [
  generatePayment,
  verifyPayment,
  confirmPayment,
  cancelPayment,
  refundPayment,
  listBindings,
];
