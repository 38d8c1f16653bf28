import type { BusinessCalendar, WorkingDays } from '../kernel';
import {
  PAYOUT_MODELS,
  type BankLine,
  type FeeRule,
  type History,
  type Item,
  type MatchRequest,
  type Observation,
  type PastPayout,
} from '../payout-inference';
import type { PayoutCandidate } from '../statements';
import type { Facts } from './facts';
import { linesOf, type StoredMatch } from './match';

/** So many payouts tell the habits of a stream; older ones may be of another schedule. */
const HISTORY_PAYOUTS_MAX = 300;

export interface RequestContext {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly fees: readonly FeeRule[] | undefined;
  readonly maxError: number;
}

/** What the inference is given: all that is not matched yet, and the habits of what is. Pure. */
export function toMatchRequest(facts: Facts, context: RequestContext): MatchRequest {
  const heldLines = new Set(facts.matches.flatMap(linesOf));
  const items = notHeldBy(facts.matches, facts.items);
  return {
    items,
    ...observationsOf(items, facts.observations),
    lines: [...facts.credits, ...facts.debits].filter(({ lineId }) => !heldLines.has(lineId)).map(toBankLine),
    fees: context.fees,
    calendar: context.calendar,
    workingDays: context.workingDays,
    maxError: context.maxError,
    history: toHistory(facts),
  };
}

function notHeldBy(matches: readonly StoredMatch[], items: readonly Item[]): readonly Item[] {
  const held = new Set<string>();
  for (const { parts } of matches) for (const { itemId } of parts) held.add(itemId);
  return held.size === 0 ? items : items.filter(({ itemId }) => !held.has(itemId));
}

/** Those of the items, and the place of its item for each: of a million of them an id is looked up once. */
function observationsOf(
  items: readonly Item[],
  all: readonly Observation[],
): Pick<MatchRequest, 'observations' | 'observedItems'> {
  const placeOf = new Map<string, number>();
  if (all.length > 0) items.forEach(({ itemId }, place) => placeOf.set(itemId, place));
  const observations: Observation[] = [];
  const observedItems: number[] = [];
  for (const observation of all) {
    const place = placeOf.get(observation.itemId);
    if (place === undefined) continue;
    observations.push(observation);
    observedItems.push(place);
  }
  return { observations, observedItems };
}

function toBankLine({ lineId, bookingDate, valueDate, amount, counterparty, remittance }: PayoutCandidate): BankLine {
  return { lineId, bookingDate, valueDate: valueDate ?? bookingDate, amount, counterparty, remittance };
}

function toHistory({ matches, credits }: Facts): History | undefined {
  const bookings = new Map(credits.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  const model = PAYOUT_MODELS.find((each) => each === lastModel(matches));
  if (model === undefined) return undefined;
  const payouts = matches.flatMap(({ lineId, stream, cut }): PastPayout[] => {
    const bookingDate = bookings.get(lineId);
    if (bookingDate === undefined || stream === undefined || cut?.until === undefined) return [];
    return [{ stream: stream as PastPayout['stream'], cut: { after: cut.after, until: cut.until }, bookingDate }];
  });
  const ordered = payouts.sort((a, b) => a.cut.until - b.cut.until || (a.bookingDate < b.bookingDate ? -1 : 1));
  return { model, payouts: ordered.slice(-HISTORY_PAYOUTS_MAX) };
}

/** The model of the latest match that has one: a person's word has none. */
export function lastModel(matches: readonly StoredMatch[]): string | undefined {
  return matches.findLast(({ model }) => model !== undefined)?.model;
}
