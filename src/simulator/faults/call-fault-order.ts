import { z } from 'zod';
import { AppError } from '../../kernel';
import { readOrder } from './read-order';
import { callFaultSchema } from './call-fault';

const CALLS_MAX = 1_000_000;
const TEXT_CHARACTERS_MAX = 200;

const orderSchema = z.strictObject({
  /** The client's name of the operation, such as `payments.verify`; `*` for every one. */
  operation: z.string().min(1).max(TEXT_CHARACTERS_MAX).default('*'),
  method: z.enum(['GET', 'POST']).optional(),
  /** The path of the operation as the simulator lists it, variable parts named; a `*` stands for any text. */
  path: z.string().min(1).max(TEXT_CHARACTERS_MAX).optional(),
  /** So many fitting calls go through first. */
  afterCalls: z.int().min(0).max(CALLS_MAX).default(0),
  /** How many calls suffer it. */
  times: z.int().min(1).max(CALLS_MAX).default(1),
  fault: callFaultSchema,
});

/** Which call is to suffer which fault. */
export type CallFaultOrder = Readonly<z.output<typeof orderSchema>>;

/**
 * Reads an order for a fault on calls, as JSON gives it.
 *
 * @param operationNames the names that `operation` may have beside `*`.
 * @throws AppError `bad_input` whose details name each field that cannot be used.
 */
export function decodeCallFaultOrder(value: unknown, operationNames: readonly string[]): CallFaultOrder {
  const order = readOrder(orderSchema, value, 'the fault on calls cannot be used');
  if (order.operation !== '*' && !operationNames.includes(order.operation)) {
    throw new AppError('bad_input', 'the fault on calls cannot be used', {
      details: ['operation: no operation has this name'],
    });
  }
  return order;
}
