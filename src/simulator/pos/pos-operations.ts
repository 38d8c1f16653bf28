import type { SimOperation } from '../core/operation';
import { posTransactionStatus } from './pos-transaction-status';
import { startPosTransaction } from './start-pos-transaction';

/** POS (interface section 4.4): the same operations under two path families. */
export const posOperations: readonly SimOperation[] = [
  startPosTransaction('api'),
  startPosTransaction('partners'),
  posTransactionStatus('api'),
  posTransactionStatus('partners'),
];
