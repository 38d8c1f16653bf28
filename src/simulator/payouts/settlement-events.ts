import type { Simulation } from '../core/simulation';
import type { TimelineHandlers } from '../core/timeline';
import { nextCutAfter } from './next-cut';
import { takeCut } from './payout-book';

const CUT = 'payout.cut';

export const settlementEvents: TimelineHandlers = {
  [CUT]: (simulation) => {
    const { world, settings, random } = simulation;
    const before = world.payoutBook.payouts.length;
    const book = takeCut(world.payoutBook, {
      plan: settings.payouts,
      cutAt: simulation.now(),
      bankDays: { calendar: simulation.calendar, workingDays: simulation.workingDays },
      random,
    });
    world.payoutBook = { ...book, open: [...book.open] };
    for (const payout of world.payoutBook.payouts.slice(before)) {
      simulation.record('payout', { payoutId: payout.payoutId, netMillimes: payout.netMillimes });
      simulation.schedule(payout.transferAt, 'webhook.payout_hint', { payoutId: payout.payoutId });
    }
    scheduleNextCut(simulation);
  },
};

/** Plans the first cut; each cut plans the next one. */
export function beginPayouts(simulation: Simulation): void {
  scheduleNextCut(simulation);
}

function scheduleNextCut(simulation: Simulation): void {
  const { settings, calendar, workingDays } = simulation;
  const at = nextCutAfter(simulation.now(), settings.payouts, { calendar, workingDays });
  simulation.schedule(at, CUT, {});
}
