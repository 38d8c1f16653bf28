import { z } from 'zod';
import { AppError, quoted } from '../../kernel';
import { decodeWith } from '../core/decode-with';
import { callFaultSchema } from './call-fault';
import { canFit } from './path-pattern';

const WHOLE = 'call fault';
const CALLS_MAX = 1_000_000;
const TEXT_CHARACTERS_MAX = 200;

const orderSchema = z.strictObject({
  /** The client's name of the operation, such as `payments.verify`; `*` for every one. */
  operation: z.string().min(1).max(TEXT_CHARACTERS_MAX).default('*'),
  method: z.enum(['GET', 'POST']).optional(),
  /**
   * The path of the call, or the operation's pattern with its named variables (`:payment_id`); `*` stands for any text.
   */
  path: z.string().min(1).max(TEXT_CHARACTERS_MAX).optional(),
  /** How many matching calls pass first. */
  afterCalls: z.int().min(0).max(CALLS_MAX).default(0),
  /** How many calls get the fault. */
  times: z.int().min(1).max(CALLS_MAX).default(1),
  fault: callFaultSchema,
});

/** A fault, and the calls that get it. */
export type CallFaultOrder = Readonly<z.output<typeof orderSchema>>;

/** The facts of an operation that an order is compared with. */
export interface FaultyOperation {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/**
 * Decodes an order for a fault on calls from JSON.
 *
 * @param operations all operations; an order that can match no call of them is refused.
 * @throws AppError `bad_input` whose details name each invalid field.
 */
export function decodeCallFaultOrder(value: unknown, operations: readonly FaultyOperation[]): CallFaultOrder {
  const order = decodeWith(orderSchema, value, WHOLE);
  const { operation: name, method, path } = order;
  const refuse = (detail: string): never => {
    throw new AppError('bad_input', { field: WHOLE, fault: 'cannot be used' }, { details: [detail] });
  };
  const named = operations.filter((operation) => name === '*' || name === operation.name);
  if (named.length === 0) return refuse(`operation: expected the name of an operation, got ${quoted(name)}`);
  const withMethod = named.filter((operation) => method === undefined || method === operation.method);
  if (withMethod.length === 0) return refuse(`method: expected the method of ${name}, got "${method}"`);
  if (path !== undefined && !withMethod.some((operation) => canFit(path, operation.path))) {
    return refuse(`path: expected the path of a call without its query, or of an operation, got ${quoted(path)}`);
  }
  return order;
}
