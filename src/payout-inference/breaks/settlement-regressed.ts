import type { Instant } from '../../kernel';
import type { BreakContext, NamedBreak } from './break-context';
import { itemBreak } from './build-breaks';
import type { HistorySummary } from './settlement-history';

const BEFORE_PAYOUT: ReadonlySet<string> = new Set(['PROCESSING', 'AVAILABLE']);
const IN_PAYOUT: ReadonlySet<string> = new Set(['IN_PAYOUT', 'PAID']);

/**
 * Reports items that were in a payout in one observation and before any payout in a later one: the gateway called off a
 * payout, or took its money back. The break remains if they are paid after all. `NOT_APPLICABLE` is the status of a
 * refunded item and not a step back.
 */
export function settlementRegressed(context: BreakContext, history: HistorySummary): NamedBreak[] {
  const { request, days } = context;
  if (history.wentBack.size === 0) return [];
  const wentBackAt = firstStepsBack(context, history);
  return request.items.flatMap((item) => {
    const at = wentBackAt.get(item.itemId);
    return at === undefined ? [] : [itemBreak('settlement_regressed', item, days.dateOf(at))];
  });
}

/** Returns for each item the first observation after its first payout that shows the step back. */
function firstStepsBack({ request }: BreakContext, { wentBack }: HistorySummary): Map<string, Instant> {
  const observations = request.observations.filter(({ itemId }) => wentBack.has(itemId));
  const inPayoutAt = new Map<string, Instant>();
  for (const { itemId, observedAt, settlementStatus } of observations) {
    if (IN_PAYOUT.has(settlementStatus)) keepEarlier(inPayoutAt, itemId, observedAt);
  }
  const wentBackAt = new Map<string, Instant>();
  for (const { itemId, observedAt, settlementStatus } of observations) {
    const isBack = BEFORE_PAYOUT.has(settlementStatus) && observedAt > (inPayoutAt.get(itemId) ?? observedAt);
    if (isBack) keepEarlier(wentBackAt, itemId, observedAt);
  }
  return wentBackAt;
}

function keepEarlier(instants: Map<string, Instant>, itemId: string, at: Instant): void {
  const known = instants.get(itemId);
  if (known === undefined || at < known) instants.set(itemId, at);
}
