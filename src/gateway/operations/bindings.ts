import type { Caller } from '../call';
import { InputCheck } from '../codec/field-faults';
import type { ReadBody } from '../codec/read-body';
import type { Operation } from '../operation';

/** A saved payment method (interface section 2.3). Only `active` is usable. */
export interface Binding {
  readonly bindingId: string;
  readonly clientId: string;
  readonly cardLastFour: string;
  readonly cardBrand: string;
  readonly status: string;
  /** UTC ISO 8601; null when the gateway sent no readable time. */
  readonly createdAt: string | null;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

export interface Bindings {
  /**
   * List Bindings (interface section 4.1): returns the payment methods that `payments.createWithBinding` saved for
   * `clientId`.
   *
   * @throws GatewayError `validation` (also for a `clientId` that the gateway does not know), `authentication`,
   * `permission`, `connection`, `timeout`, `unavailable`, `rate_limited`, `unexpected_shape`.
   */
  list(input: { readonly clientId: string }): Promise<readonly Binding[]>;
}

export function createBindings(caller: Caller): Bindings {
  return { list: async (input) => caller.run(listOperation, input) };
}

const listOperation: Operation<{ readonly clientId: string }, readonly Binding[]> = {
  name: 'bindings.list',
  safety: 'A',
  auth: 'app',
  request(input) {
    const check = new InputCheck(input);
    const clientId = check.text('clientId');
    check.done();
    return { method: 'GET', path: '/api/v2/bindings/list', query: [['client_id', clientId]] };
  },
  decode: (body, { clientId }) =>
    body.object('result').list('bindings', (item) => ({
      bindingId: item.text('binding_id'),
      clientId: sameClient(item, clientId),
      cardLastFour: item.textOrNull('card_last_four') ?? '',
      cardBrand: item.textOrNull('card_brand') ?? '',
      status: item.text('status'),
      createdAt: item.time('created_at', 'createdAt'),
      ...item.assumedOffset(),
      raw: item.raw,
    })),
};

/** Refuses a row of another customer, whose payment method must never appear as this customer's (S14). */
function sameClient(item: ReadBody, clientId: string): string {
  if (item.text('client_id') !== clientId) throw item.fault('client_id', 'differs from the request');
  return clientId;
}
