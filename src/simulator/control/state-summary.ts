import { formatInstant } from '../../kernel';
import type { Simulator } from '../core/simulator';

const NEXT_EVENTS_SHOWN = 10;

/** Counts everything by state, and lists the next events. */
export function stateSummary(simulator: Simulator): unknown {
  const { world } = simulator.simulation;
  const { timeline } = simulator.snapshot();
  return {
    now: formatInstant(simulator.simulation.now()),
    mode: simulator.clockMode,
    seed: world.seed,
    payments: countBy(Object.values(world.checkout.payments), ({ status }) => status),
    bindings: Object.keys(world.checkout.bindings).length,
    subscriptions: countBy(Object.values(world.subscriptions.byId), ({ status }) => status),
    pos: countBy(Object.values(world.pos.transactions), ({ status }) => status),
    qrCodes: Object.keys(world.qr.codes).length,
    qrPayments: world.qr.payments.length,
    wallets: Object.keys(world.wallet.wallets).length,
    agentPayments: Object.keys(world.agentPayments).length,
    webhooks: countBy(Object.values(world.webhooks.deliveries), ({ status }) => status),
    payouts: world.payoutBook.payouts.length,
    openItems: world.payoutBook.open.length,
    faultsWaiting: world.faults.orders.length + world.webhooks.orders.length,
    traceLines: world.trace.length,
    nextEvents: timeline
      .slice(0, NEXT_EVENTS_SHOWN)
      .map(({ at, kind, data }) => ({ at: formatInstant(at), kind, data })),
  };
}

/** Counts the elements of each kind, the kinds in order of their names. */
function countBy<T>(all: Iterable<T>, kindOf: (one: T) => string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(kindOf(one), (counts.get(kindOf(one)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
