import { good, statusError } from '../core/answers';
import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { SimOperation } from '../core/operation';
import { bindingsOfClient } from './client-bindings';

/** List Bindings (interface section 4.1). Refuses a client that no payment ever named as invalid. */
export const listBindings: SimOperation = {
  name: 'bindings.list',
  method: 'GET',
  path: '/api/v2/bindings/list',
  auth: 'app',
  answer(simulation, { query }) {
    const bindings = bindingsOfClient(simulation.world.checkout, query.get('client_id') ?? '');
    if (bindings === undefined) return statusError(400, 'Invalid client_id');
    const rows = bindings.map(({ bindingId, clientId, cardLastFour, cardBrand, status, createdAt }) => ({
      binding_id: bindingId,
      client_id: clientId,
      card_last_four: cardLastFour,
      card_brand: cardBrand,
      status,
      created_at: gatewayTimestamp(createdAt, simulation.calendar),
    }));
    return good({ success: true, bindings: rows }, { beside: { status: 'success' } });
  },
};
