import type { BusinessDate } from '../../kernel';
import type { Item } from '../match-request';
import type { BreakContext, NamedBreak } from './break-context';
import { itemBreak } from './build-breaks';
import type { HistorySummary } from './settlement-history';

/**
 * Reports cards whose last observation is still PROCESSING after the grace from T+1, the working day after the payment.
 * A card with a later status is no longer late. Observations after the horizon age nothing.
 */
export function lateSettlements(context: BreakContext, { stillProcessing }: HistorySummary): NamedBreak[] {
  const { request, days, horizon } = context;
  if (horizon === undefined || stillProcessing.size === 0) return [];
  return request.items.flatMap((item) => {
    const lastObservation = item.channel === 'card' ? stillProcessing.get(item.itemId) : undefined;
    if (lastObservation === undefined) return [];
    const since = lateFrom(item, context);
    if (since > horizon || since > days.dateOf(lastObservation)) return [];
    return [itemBreak('late_settlement', item, since)];
  });
}

/** Returns the first working day after the grace. */
function lateFrom({ succeededAt }: Item, { days, grace }: BreakContext): BusinessDate {
  return days.add(days.dateOf(succeededAt), 1 + grace.lateSettlement + 1);
}
