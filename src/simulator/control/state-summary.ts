import { formatInstant } from '../../kernel';
import type { Simulator } from '../core/simulator';
import { countBy } from './count-by';

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
