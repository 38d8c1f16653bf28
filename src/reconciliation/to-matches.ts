import {
  addToGroup,
  assert,
  type BusinessCalendar,
  type BusinessDate,
  type Millimes,
  newId,
  ZERO_MILLIMES,
} from '../kernel';
import type { Channel } from '../ledger';
import type { Inference, InferredCredit, InferredItem, Item, MatchRequest } from '../payout-inference';
import { allocateFees } from './allocate-fees';
import type { MatchPart, NewMatch, ReturnLines } from './match';

/** An inference and its request. */
export interface Inferred {
  readonly request: MatchRequest;
  readonly inference: Inference;
}

/** Returns the matches of resolved credits. Pure except for their new ids. */
export function toMatches({ request, inference }: Inferred): NewMatch[] {
  const lines = new Map(request.lines.map((line) => [line.lineId, line]));
  const paidBy = itemsByLine({ request, inference });
  const returns = placesOfReturned(inference, lines);
  return inference.credits.flatMap((credit) => {
    if (credit.outcome !== 'resolved' || credit.itemIds.length === 0) return [];
    const place = returns.get(credit.lineId) ?? { lineId: credit.lineId, returned: undefined };
    if (place === 'gone') return [];
    const line = lines.get(place.lineId);
    assert(line !== undefined, 'an inference is about the lines of its request');
    const itemOf = new Map((paidBy.get(credit.lineId) ?? []).map((paid) => [paid.item.itemId, paid]));
    const paid = credit.itemIds.map((itemId) => {
      const of = itemOf.get(itemId);
      assert(of !== undefined, 'an inference is about the items of its request');
      return of;
    });
    return [toMatch(credit, paid, { request, inference, ...place, bookingDate: line.bookingDate })];
  });
}

interface PaidItem {
  readonly item: Item;
  readonly inferred: InferredItem;
}

/** Returns the items of each credit. Both lists have the same order, so no lookup by id is needed. */
function itemsByLine({ request, inference }: Inferred): Map<string, PaidItem[]> {
  const byLine = new Map<string, PaidItem[]>();
  inference.items.forEach((inferred, index) => {
    const item = request.items[index];
    if (inferred.lineId !== undefined && item !== undefined) addToGroup(byLine, inferred.lineId, { item, inferred });
  });
  return byLine;
}

interface Place {
  readonly lineId: string;
  readonly returned: ReturnLines | undefined;
}

/**
 * Returns the credit for the match of a returned payout: the credit that stayed, whichever of the two the inference
 * resolved. If the payout was not paid again, or with another amount, it has no match.
 */
function placesOfReturned(
  { returned }: Inference,
  lines: ReadonlyMap<string, { readonly amount: Millimes }>,
): Map<string, Place | 'gone'> {
  const places = new Map<string, Place | 'gone'>();
  for (const { lineId, debitLineId, paidAgainLineId } of returned) {
    if (paidAgainLineId === undefined || lines.get(paidAgainLineId)?.amount !== lines.get(lineId)?.amount) {
      places.set(lineId, 'gone');
      continue;
    }
    const place = { lineId: paidAgainLineId, returned: { creditLineId: lineId, debitLineId } };
    places.set(lineId, place).set(paidAgainLineId, place);
  }
  return places;
}

interface MatchContext extends Place {
  readonly request: MatchRequest;
  readonly inference: Inference;
  readonly bookingDate: BusinessDate;
}

function toMatch(
  credit: InferredCredit,
  paid: readonly PaidItem[],
  { request, inference, lineId, returned, bookingDate }: MatchContext,
): NewMatch {
  assert(credit.evidence !== undefined, 'a resolved credit has its evidence');
  const { evidence } = credit;
  const items = paid.map(({ item }) => item);
  const fees = allocateFees({
    items,
    fee: credit.fee,
    tva: credit.tva,
    rules: inference.fees,
    daysOf: feeDays(credit, bookingDate, request.calendar),
  });
  const parts = paid.map(({ item, inferred }, index): MatchPart => {
    const { itemId, channel, amount } = item;
    const { fee, tva } = fees[index] ?? { fee: ZERO_MILLIMES, tva: ZERO_MILLIMES };
    return { itemId, channel, amount, fee, tva, evidence: inferred.evidence ?? evidence };
  });
  return {
    id: newId(),
    lineId,
    kind: 'inferred',
    model: inference.model,
    stream: credit.stream,
    evidence,
    gross: credit.gross,
    fee: credit.fee,
    tva: credit.tva,
    remainder: credit.remainder,
    restChannel: largestChannel(parts),
    claimedError: credit.claimedError,
    cut: credit.cut,
    parts,
    returned,
    bookingDate,
  };
}

/** Returns the candidate days for the choice of a fee rule: of the cut, of the booking, of the payment. */
function feeDays(
  { cut }: InferredCredit,
  bookingDate: BusinessDate,
  calendar: BusinessCalendar,
): ((item: Item) => BusinessDate)[] {
  const ofCut = cut === undefined ? bookingDate : calendar.dateOf(cut.until);
  return [() => ofCut, () => bookingDate, ({ succeededAt }) => calendar.dateOf(succeededAt)];
}

/** Returns the channel with the largest payments; of equal ones the first by name. */
export function largestChannel(parts: readonly Pick<MatchPart, 'channel' | 'amount'>[]): Channel {
  const totals = new Map<Channel, number>();
  for (const { channel, amount } of parts) {
    totals.set(channel, (totals.get(channel) ?? 0) + Math.max(amount, 0));
  }
  const [largest] = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  assert(largest !== undefined, 'a match has at least one item');
  return largest[0];
}
