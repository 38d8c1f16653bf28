import { magicPayerOf } from '../core/magic-amounts';
import type { Simulation } from '../core/simulation';
import { finishPos, posTransactionOf } from './finish-pos';
import type { PosStatus, SimPosTransaction } from './pos-state';
import { mayBecome } from './pos-status';

/** The event in which the customer at the terminal decides. */
export const POS_CUSTOMER = 'pos.customer';
/** The event of a later consequence. */
export const POS_FOLLOW_UP = 'pos.follow_up';

const LATE_MS = 60_000;
/** How long the terminal waits for a customer. */
const TERMINAL_WAIT_MS = 180_000;

interface Behavior {
  readonly first?: PosStatus;
  readonly later?: { readonly status: PosStatus; readonly afterMs: number };
}

const PAYS: Behavior = { first: 'PS' };
const FAILS: Behavior = { first: 'PF' };
const ABANDONS: Behavior = { later: { status: 'PF', afterMs: TERMINAL_WAIT_MS } };

/** Sends a customer to the terminal, in `auto` mode or for a magic amount. */
export function sendCustomer(
  simulation: Simulation,
  { serviceTransactionId, amountMillimes }: SimPosTransaction,
): void {
  const { mode, afterSecs } = simulation.settings.payer;
  if (mode === 'manual' && magicBehaviorOf(amountMillimes) === undefined) return;
  simulation.schedule(simulation.now() + afterSecs * 1_000, POS_CUSTOMER, { serviceTransactionId });
}

export function actAsCustomer(simulation: Simulation, serviceTransactionId: string): void {
  const transaction = posTransactionOf(simulation, serviceTransactionId);
  // A call of the control API ended the transaction before.
  if (transaction?.status !== 'PP') return;
  const { first, later } =
    magicBehaviorOf(transaction.amountMillimes) ?? behaviorByChance(simulation, serviceTransactionId);
  if (first !== undefined) finishPos(simulation, serviceTransactionId, first);
  if (later === undefined) return;
  const { status, afterMs } = later;
  simulation.schedule(simulation.now() + afterMs, POS_FOLLOW_UP, { serviceTransactionId, from: first ?? 'PP', status });
}

/** Sets the later status, unless the transaction has changed meanwhile. */
export function followUp(simulation: Simulation, serviceTransactionId: string, from: string, status: PosStatus): void {
  const transaction = posTransactionOf(simulation, serviceTransactionId);
  if (transaction?.status !== from || !mayBecome(transaction.status, status)) return;
  finishPos(simulation, serviceTransactionId, status);
}

function magicBehaviorOf(amountMillimes: number): Behavior | undefined {
  switch (magicPayerOf(amountMillimes)) {
    case 'fails':
      return FAILS;
    case 'abandons':
      return ABANDONS;
    case 'system_failure':
      return { first: 'PU' };
    case 'late_success':
      return { first: 'PF', later: { status: 'PS', afterMs: LATE_MS } };
    case 'renewals_fail':
    case undefined:
      return undefined;
  }
}

/**
 * Draws a behavior from the customer's own random numbers, so that one customer does not influence the rest of a run.
 */
function behaviorByChance({ random, settings }: Simulation, serviceTransactionId: string): Behavior {
  const own = random.fork(`pos-customer:${serviceTransactionId}`);
  const abandons = own.chance(settings.payer.abandonPpm);
  const fails = own.chance(settings.payer.failurePpm);
  if (abandons) return ABANDONS;
  return fails ? FAILS : PAYS;
}
