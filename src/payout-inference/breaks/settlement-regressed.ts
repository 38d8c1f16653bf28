import type { Instant } from '../../kernel';
import type { BreakContext, NamedBreak } from './break-context';
import type { HistorySummary } from './settlement-history';

const BEFORE_PAYOUT: ReadonlySet<string> = new Set(['PROCESSING', 'AVAILABLE']);
const IN_PAYOUT: ReadonlySet<string> = new Set(['IN_PAYOUT', 'PAID']);

/**
 * Items that were in a payout in one observation and before any payout in a later one: a payout was called off, or its money
 * was taken back. It stays a fact when they are paid after all. `NOT_APPLICABLE` is what a refunded item says, and no
 * step back.
 */
export function settlementRegressed(context: BreakContext, history: HistorySummary): NamedBreak[] {
  const { request, days } = context;
  if (history.wentBack.size === 0) return [];
  const wentBackAt = firstStepsBack(context, history);
  return request.items.flatMap(({ itemId, amount }) => {
    const at = wentBackAt.get(itemId);
    if (at === undefined) return [];
    return [
      {
        fingerprint: `settlement_regressed:${itemId}`,
        breakClass: 'settlement_regressed',
        amount,
        itemIds: [itemId],
        lineIds: [],
        since: days.dateOf(at),
      },
    ];
  });
}

/** The first observation after the first payout that says so. */
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
