import type { Clock, Instant } from '../../kernel';
import { readRecord } from './budget-codec';
import type { RecordShape } from './budget-record';
import { creationsShape, gateShape } from './budget-shapes';
import type { BudgetStore } from './budget-store';
import { CREATIONS_PER_MINUTE_DEFAULT, VERIFIES_PER_MINUTE_DEFAULT } from './call-budget';
import { type CallStarts, WINDOW_MS } from './call-window';
import { type CircuitCause, refusedForMs } from './circuit';
import { budgetScope } from './scoped-budget-store';

/** The calls of the last minute, and how many any minute may have. */
export interface CallsUsed {
  readonly used: number;
  readonly limit: number;
  /** When the oldest of them no longer counts; undefined without one. */
  readonly freesAt: Instant | undefined;
}

/** How much of the call budget of one application is used now. */
export interface CallBudgetUse {
  readonly verifies: CallsUsed;
  readonly creations: CallsUsed;
  /**
   * `refusedForMs`: for how long no verify is sent; 0 while the circuit is closed or may be probed. A closed circuit has
   * no cause.
   */
  readonly circuit: {
    readonly isOpen: boolean;
    readonly cause: CircuitCause | undefined;
    readonly refusedForMs: number;
  };
}

export interface CallBudgetQuestion {
  readonly store: Pick<BudgetStore, 'read'>;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly publicKey: string;
}

/**
 * Reads the budget of a client with the usual limits, and changes nothing. An unreadable entry counts as spent.
 *
 * @throws every error of the store.
 */
export async function readCallBudgetUse({
  store,
  clock,
  baseUrl,
  publicKey,
}: CallBudgetQuestion): Promise<CallBudgetUse> {
  const scoped = budgetScope(baseUrl, publicKey);
  const now = clock.now();
  const stateOf = async <State>(shape: RecordShape<State>): Promise<State> => {
    const entry = await store.read(scoped(shape.key));
    return entry === undefined ? shape.empty : (readRecord(entry.value, shape.read) ?? shape.spent(now));
  };
  const usedOf = (starts: CallStarts, limit: number): CallsUsed => {
    // A start in the future was recorded before the clock stepped back.
    const counted = starts.filter((start) => start > now - WINDOW_MS).map((start) => Math.min(start, now));
    const freesAt = counted.length === 0 ? undefined : Math.min(...counted) + WINDOW_MS;
    return { used: counted.length, limit, freesAt };
  };
  const { starts, circuit } = await stateOf(gateShape(VERIFIES_PER_MINUTE_DEFAULT));
  const creations = await stateOf(creationsShape(CREATIONS_PER_MINUTE_DEFAULT));
  return {
    verifies: usedOf(starts, VERIFIES_PER_MINUTE_DEFAULT),
    creations: usedOf(creations, CREATIONS_PER_MINUTE_DEFAULT),
    circuit: {
      isOpen: circuit.kind !== 'closed',
      cause: circuit.kind === 'closed' ? undefined : circuit.cause,
      refusedForMs: refusedForMs(circuit, now),
    },
  };
}
