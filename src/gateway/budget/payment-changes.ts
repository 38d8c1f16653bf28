import { SECOND_MS } from '../../kernel';
import { GatewayError } from '../gateway-error';
import { budgetRecord } from './budget-record';
import { verifyShape } from './budget-shapes';
import type { SharedFlights } from './shared-flights';
import { type FlightDeps, VERIFY_OPERATION } from './verify-flight';
import { dropAnswer } from './verify-state';
import { withTimeout } from './with-timeout';

/** The answer of the gateway is known at the end of a change, so its caller waits for the store only this long. */
const END_MAX_MS = SECOND_MS;

/** The changes of payments that this process sends, as the budget of Verify Payment needs them. */
export interface PaymentChanges {
  beginChange(paymentId: string, caller: { readonly operation: string; readonly timeoutMs: number }): Promise<void>;
  endChange(paymentId: string, operation: string): Promise<void>;
  /** Drops an answer that `endChange` could not drop. @throws GatewayError as `beginChange`. */
  settle(paymentId: string, timeoutMs: number): Promise<void>;
}

/** Creates what drops the answers from before a change, in this process and in the store. */
export function paymentChanges(deps: FlightDeps, flights: SharedFlights): PaymentChanges {
  /** The payments whose change has ended and whose answer may still be stored. */
  const unsettled = new Set<string>();

  async function drop(paymentId: string, operation: string, timeoutMs: number): Promise<void> {
    const record = budgetRecord(deps, verifyShape(paymentId, deps.spacingMs));
    const dropping = record.change(operation, (state) => ({ next: dropAnswer(state), result: undefined }));
    try {
      await withTimeout(dropping, timeoutMs, () => {
        throw new GatewayError('unavailable', 'the call budget cannot be stored in time', { operation });
      });
    } finally {
      flights.detach(paymentId);
    }
  }

  return {
    beginChange: (paymentId, { operation, timeoutMs }) => drop(paymentId, operation, timeoutMs),
    async endChange(paymentId, operation) {
      unsettled.add(paymentId);
      try {
        await drop(paymentId, operation, END_MAX_MS);
        unsettled.delete(paymentId);
      } catch (error) {
        deps.logger.warn('end of a change not stored', { event: 'gateway.budget_not_noted', error });
      }
    },
    async settle(paymentId, timeoutMs) {
      if (!unsettled.has(paymentId)) return;
      await drop(paymentId, VERIFY_OPERATION, timeoutMs);
      unsettled.delete(paymentId);
    },
  };
}
