import { assert, type Clock, MINUTE_MS, monotonicClock, SECOND_MS } from '../../kernel';
import type { Logger } from '../../logging';
import { GatewayError } from '../gateway-error';
import { budgetRecord } from './budget-record';
import { creationsShape, gateShape } from './budget-shapes';
import type { BudgetStore } from './budget-store';
import { takeSlot } from './call-window';
import { paymentChanges } from './payment-changes';
import { sharedFlights } from './shared-flights';
import { type FlightDeps, type VerifyAnswer, verifyTimeout } from './verify-flight';
import { withTimeout } from './with-timeout';

const VERIFY_SPACING_DEFAULT_MS = 30 * SECOND_MS;
export const VERIFIES_PER_MINUTE_DEFAULT = 30;
export const CREATIONS_PER_MINUTE_DEFAULT = 60;
export const CIRCUIT_DEFAULT_MS = 15 * MINUTE_MS;

export interface CallBudgetOptions {
  /** Processes that share a store share the limits. */
  readonly store: BudgetStore;
  /** The business clock. If it steps back, no caller waits longer than one spacing, window or circuit. */
  readonly clock: Clock;
  /** Measures waiting times only. Default: the system's. */
  readonly monotonic?: Clock | undefined;
  readonly logger: Logger;
  /** Milliseconds between two requests about one payment, from the end of the first. Default 30,000. */
  readonly verifySpacingMs?: number | undefined;
  /** Verify requests in any 60 s, over all payments. Default 30. */
  readonly verifiesPerMinute?: number | undefined;
  /** Subscription creations in any 60 s. Default 60. */
  readonly creationsPerMinute?: number | undefined;
  /** Milliseconds without a verify after the gateway refused further calls. Default 900,000. */
  readonly circuitMs?: number | undefined;
}

/** The limits of the calls that the gateway counts (interface section 8, open points 54 and 60). */
export interface CallBudget {
  /**
   * Returns the answer of Verify Payment about one payment (interface section 4.1). This is the latest answer while it
   * is younger than the spacing, the answer to a request in transit from any process that shares the store, or a new
   * answer. `ask` makes exactly one request. It resolves with the decoded JSON body of a good answer or rejects with a
   * GatewayError. It is called at most once; of concurrent callers, only the first caller's `ask` is called.
   * `timeoutMs` bounds the whole wait.
   *
   * @throws GatewayError `rate_limited` with `retryAfterMs` when the budget allows no request now, `timeout`,
   * `unavailable` when the store fails (then nothing was sent), and every error of `ask`.
   */
  verify(paymentId: string, ask: () => Promise<unknown>, limits: { readonly timeoutMs: number }): Promise<VerifyAnswer>;
  /**
   * Drops the stored answer about a payment, before a request that changes the payment is sent. A verify in transit
   * then answers only the callers that asked before. The spacing stays: until it ends, `verify` throws `rate_limited`.
   *
   * @throws GatewayError `unavailable` or `rate_limited` when the store fails; then the caller must send nothing.
   */
  beginChange(paymentId: string, caller: { readonly operation: string; readonly timeoutMs: number }): Promise<void>;
  /**
   * Drops the answer again when the request has ended, whatever its outcome. Never rejects. If the store fails,
   * `verify` of this process drops the answer before it returns one.
   */
  endChange(paymentId: string, operation: string): Promise<void>;
  /**
   * Takes one subscription creation from the minute's limit. `operation` names the caller in errors; `timeoutMs` bounds
   * the wait.
   *
   * @throws GatewayError `rate_limited` with `retryAfterMs`; `unavailable` when the store fails or exceeds the caller's
   * time. The creation may then be counted, and the caller must send nothing.
   */
  takeCreation(operation: string, limits?: { readonly timeoutMs: number }): Promise<void>;
}

export function createCallBudget(options: CallBudgetOptions): CallBudget {
  const { store, clock, logger, monotonic = monotonicClock } = options;
  const spacingMs = options.verifySpacingMs ?? VERIFY_SPACING_DEFAULT_MS;
  const verifiesPerMinute = options.verifiesPerMinute ?? VERIFIES_PER_MINUTE_DEFAULT;
  const creationsPerMinute = options.creationsPerMinute ?? CREATIONS_PER_MINUTE_DEFAULT;
  const circuitMs = options.circuitMs ?? CIRCUIT_DEFAULT_MS;
  for (const [limit, min] of [
    [spacingMs, 0],
    [verifiesPerMinute, 1],
    [creationsPerMinute, 1],
    [circuitMs, 1],
  ] as const) {
    assert(Number.isSafeInteger(limit) && limit >= min, 'the limits of a budget are whole numbers');
  }
  const records = { store, clock, logger };
  const creations = budgetRecord(records, creationsShape(creationsPerMinute));
  const gate = budgetRecord(records, gateShape(verifiesPerMinute));
  const deps: FlightDeps = { ...records, monotonic, gate, spacingMs, verifiesPerMinute, circuitMs };
  const flights = sharedFlights(deps);
  const changes = paymentChanges(deps, flights);

  return {
    ...changes,
    async verify(paymentId, ask, { timeoutMs }) {
      const deadlineAt = monotonic.now() + timeoutMs;
      await changes.settle(paymentId, timeoutMs);
      const { flight, landing } = flights.join({ paymentId, timeoutMs, ask, deadlineAt, answer: undefined });
      flight.deadlineAt = Math.max(flight.deadlineAt, deadlineAt);
      return withTimeout(landing, timeoutMs, () => {
        if (flight.answer === undefined) throw verifyTimeout();
        return flight.answer; // the answer arrived, and only the store is slow
      });
    },
    async takeCreation(operation, limits) {
      const taking = creations.change(operation, (starts, now) => {
        const taken = takeSlot(starts, now, creationsPerMinute);
        return { next: taken.starts === starts ? undefined : taken.starts, result: taken };
      });
      const late = (): never => {
        throw new GatewayError('unavailable', 'the call budget cannot be read in time', { operation });
      };
      const slot = await (limits === undefined ? taking : withTimeout(taking, limits.timeoutMs, late));
      if (slot.kind === 'taken') return;
      const { retryAfterMs } = slot;
      throw new GatewayError('rate_limited', 'too many creations within a minute', { operation, retryAfterMs });
    },
  };
}
