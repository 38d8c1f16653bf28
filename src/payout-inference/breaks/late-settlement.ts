import type { BusinessDate } from '../../kernel';
import type { Item } from '../match-request';
import type { BreakContext, NamedBreak } from './break-context';
import type { HistorySummary } from './settlement-history';

/**
 * Cards whose last observation is still PROCESSING later than their grace after T+1, the working day that follows the
 * payment. One that moved on is late no more. What lies behind the horizon makes nothing older.
 */
export function lateSettlements(context: BreakContext, { stillProcessing }: HistorySummary): NamedBreak[] {
  const { request, days, horizon } = context;
  if (horizon === undefined || stillProcessing.size === 0) return [];
  return request.items.flatMap((item) => {
    const lastObservation = item.channel === 'card' ? stillProcessing.get(item.itemId) : undefined;
    if (lastObservation === undefined) return [];
    const since = lateFrom(item, context);
    if (since > horizon || since > days.dateOf(lastObservation)) return [];
    return [
      {
        fingerprint: `late_settlement:${item.itemId}`,
        breakClass: 'late_settlement',
        amount: item.amount,
        itemIds: [item.itemId],
        lineIds: [],
        since,
      },
    ];
  });
}

/** The first working day that is later than the grace. */
function lateFrom({ succeededAt }: Item, { days, grace }: BreakContext): BusinessDate {
  return days.add(days.dateOf(succeededAt), 1 + grace.lateSettlement + 1);
}
