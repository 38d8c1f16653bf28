import type { Clock } from '../../kernel';
import { readRecord } from './budget-codec';
import type { RecordShape } from './budget-record';
import { creationsShape, gateShape } from './budget-shapes';
import type { BudgetStore } from './budget-store';
import { CREATIONS_PER_MINUTE_DEFAULT, VERIFIES_PER_MINUTE_DEFAULT } from './call-budget';
import { type CallStarts, WINDOW_MS } from './call-window';
import { refusedForMs } from './circuit';
import { budgetScope } from './scoped-budget-store';

/** The calls of the last minute, and how many any minute may have. */
export interface CallsUsed {
  readonly used: number;
  readonly limit: number;
}

/** How much of the call budget of one application is used now. */
export interface CallBudgetUse {
  readonly verifies: CallsUsed;
  readonly creations: CallsUsed;
  /** `refusedForMs`: for how long no verify is sent; 0 while the circuit is closed or may be probed. */
  readonly circuit: { readonly isOpen: boolean; readonly refusedForMs: number };
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
  const used = (starts: CallStarts): number => starts.filter((start) => start > now - WINDOW_MS).length;
  const { starts, circuit } = await stateOf(gateShape(VERIFIES_PER_MINUTE_DEFAULT));
  const creations = await stateOf(creationsShape(CREATIONS_PER_MINUTE_DEFAULT));
  return {
    verifies: { used: used(starts), limit: VERIFIES_PER_MINUTE_DEFAULT },
    creations: { used: used(creations), limit: CREATIONS_PER_MINUTE_DEFAULT },
    circuit: { isOpen: circuit.kind !== 'closed', refusedForMs: refusedForMs(circuit, now) },
  };
}
