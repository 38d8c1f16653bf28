import type { Instant } from '../../kernel';
import type { BreakContext, NamedBreak } from './break-context';
import type { LooksSummary } from './settlement-looks';

const BEFORE_PAYOUT: ReadonlySet<string> = new Set(['PROCESSING', 'AVAILABLE']);
const IN_PAYOUT: ReadonlySet<string> = new Set(['IN_PAYOUT', 'PAID']);

/**
 * Items that were in a payout at one look and before any payout at a later one: a payout was called off, or its money
 * was taken back. It stays a fact when they are paid after all. `NOT_APPLICABLE` is what a refunded item says, and no
 * step back.
 */
export function settlementRegressed(context: BreakContext, looks: LooksSummary): NamedBreak[] {
  const { request, days } = context;
  if (looks.wentBack.size === 0) return [];
  const wentBackAt = firstStepsBack(context, looks);
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

/** The first look after the first payout that says so. */
function firstStepsBack({ request }: BreakContext, { wentBack }: LooksSummary): Map<string, Instant> {
  const looks = request.observations.filter(({ itemId }) => wentBack.has(itemId));
  const inPayoutAt = new Map<string, Instant>();
  for (const { itemId, observedAt, settlementStatus } of looks) {
    if (IN_PAYOUT.has(settlementStatus)) keepEarlier(inPayoutAt, itemId, observedAt);
  }
  const wentBackAt = new Map<string, Instant>();
  for (const { itemId, observedAt, settlementStatus } of looks) {
    const isBack = BEFORE_PAYOUT.has(settlementStatus) && observedAt > (inPayoutAt.get(itemId) ?? observedAt);
    if (isBack) keepEarlier(wentBackAt, itemId, observedAt);
  }
  return wentBackAt;
}

function keepEarlier(instants: Map<string, Instant>, itemId: string, at: Instant): void {
  const known = instants.get(itemId);
  if (known === undefined || at < known) instants.set(itemId, at);
}
