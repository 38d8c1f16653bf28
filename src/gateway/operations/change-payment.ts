import type { CallBudget } from '../budget/call-budget';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import type { Operation } from '../operation';

interface OnPayment {
  readonly paymentId: string;
}

/** Sends an operation that changes a payment. */
export type ChangePayment = <Input extends OnPayment, Result>(
  operation: Operation<Input, Result>,
  input: Input,
) => Promise<Result>;

/**
 * Creates the sender of capture, cancel and refund. `payments.verify` never returns an answer from before such a call:
 * the answer is dropped before the request is sent, and again when it has ended, even if its outcome is unknown.
 */
export function createChange(
  caller: Caller,
  { beginChange, endChange }: Pick<CallBudget, 'beginChange' | 'endChange'>,
): ChangePayment {
  return async (operation, given) => {
    const input = copyInput(operation.name, given);
    const sending = { isPossible: false };
    try {
      return await caller.run(operation, input, {
        beforeEachRequest: async (timeoutMs) => {
          await beginChange(input.paymentId, { operation: operation.name, timeoutMs });
          sending.isPossible = true;
        },
      });
    } finally {
      if (sending.isPossible) await endChange(input.paymentId, operation.name);
    }
  };
}
