import type { BreakContext, NamedBreak } from './break-context';
import { inByteOrder } from './byte-order';

/** Reports each payout that the bank debited back, even if it was paid again, because the return remains a fact. */
export function returnedPayouts({ inference, lines }: BreakContext): NamedBreak[] {
  if (inference.returned.length === 0) return [];
  const itemIdsOf = new Map(inference.credits.map(({ lineId, itemIds }) => [lineId, itemIds]));
  return inference.returned.flatMap(({ lineId, debitLineId, paidAgainLineId }) => {
    const credit = lines.get(lineId);
    const debit = lines.get(debitLineId);
    if (credit === undefined || debit === undefined) return [];
    const lineIds = [lineId, debitLineId, ...(paidAgainLineId === undefined ? [] : [paidAgainLineId])];
    return [
      {
        fingerprint: `returned_payout:${lineId}`,
        breakClass: 'returned_payout',
        amount: credit.amount,
        itemIds: inByteOrder(new Set(lineIds.flatMap((id) => itemIdsOf.get(id) ?? []))),
        lineIds,
        since: debit.bookingDate,
      },
    ];
  });
}
