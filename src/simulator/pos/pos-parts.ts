import type { SimOperation } from '../core/operation';
import type { TimelineHandlers } from '../core/timeline';
import { actAsCustomer, followUp, POS_CUSTOMER, POS_FOLLOW_UP } from './pos-customer';
import { posTransactionStatus } from './pos-transaction-status';
import { startPosTransaction } from './start-pos-transaction';

/** POS (interface section 4.4): the same operations under two path families. */
export const posOperations: readonly SimOperation[] = [
  startPosTransaction('api'),
  startPosTransaction('partners'),
  posTransactionStatus('api'),
  posTransactionStatus('partners'),
];

export const posEvents: TimelineHandlers = {
  [POS_CUSTOMER]: (simulation, { serviceTransactionId }) => actAsCustomer(simulation, String(serviceTransactionId)),
  [POS_FOLLOW_UP]: (simulation, { serviceTransactionId, from, status }) =>
    followUp(simulation, String(serviceTransactionId), String(from), status === 'PS' ? 'PS' : 'PF'),
};
