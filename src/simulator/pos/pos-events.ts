import type { TimelineHandlers } from '../core/timeline';
import { actAsCustomer, followUp, POS_CUSTOMER, POS_FOLLOW_UP } from './pos-customer';

export const posEvents: TimelineHandlers = {
  [POS_CUSTOMER]: (simulation, { serviceTransactionId }) => actAsCustomer(simulation, String(serviceTransactionId)),
  [POS_FOLLOW_UP]: (simulation, { serviceTransactionId, from, status }) =>
    followUp(simulation, String(serviceTransactionId), String(from), status === 'PS' ? 'PS' : 'PF'),
};
