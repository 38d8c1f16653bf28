import type { BusinessCalendar, WorkingDays } from '../kernel';
import {
  type AssertedPayout,
  type BankLine,
  type FeeRule,
  type History,
  type Item,
  type MatchRequest,
  type Observation,
  type PastPayout,
  PAYOUT_MODELS,
} from '../payout-inference';
import type { PayoutCandidate } from '../statements';
import type { Facts } from './facts';
import { linesOf, type StoredMatch } from './match';

/** Enough payouts to learn the cadence of a stream; older ones may follow another schedule. */
export const HISTORY_PAYOUTS_MAX = 300;

export interface RequestContext {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly fees: readonly FeeRule[] | undefined;
  readonly maxError: number;
}

/**
 * Builds the request of the inference: all unmatched items and lines, the history of matched payouts, and
 * what people matched. Pure.
 */
export function toMatchRequest(facts: Facts, context: RequestContext): MatchRequest {
  const heldLines = new Set(facts.matches.flatMap(linesOf));
  const items = notHeldBy(facts.matches, facts.items);
  const asserted = toAsserted(facts);
  return {
    items,
    ...observationsOf(items, facts.observations),
    lines: [...facts.credits, ...facts.debits].filter(({ lineId }) => !heldLines.has(lineId)).map(toBankLine),
    fees: context.fees,
    calendar: context.calendar,
    workingDays: context.workingDays,
    maxError: context.maxError,
    history: toHistory(facts),
    ...(asserted.length === 0 ? {} : { asserted }),
  };
}

/** Returns the payouts that people asserted, with their items and observations. */
function toAsserted({
  asserted,
  credits,
  items,
  observations,
}: Pick<Facts, 'asserted' | 'credits' | 'items' | 'observations'>): AssertedPayout[] {
  if (asserted.length === 0) return [];
  const lineOf = new Map(credits.map((credit) => [credit.lineId, credit]));
  const itemOf = itemsById(asserted, items);
  return asserted.flatMap(({ lineId, parts }): AssertedPayout[] => {
    const line = lineOf.get(lineId);
    const paid = parts.flatMap(({ itemId }) => itemOf.get(itemId) ?? []);
    if (line === undefined || paid.length < parts.length) return [];
    return [{ line: toBankLine(line), items: paid, observations: observationsOf(paid, observations).observations }];
  });
}

function itemsById(asserted: readonly StoredMatch[], items: readonly Item[]): Map<string, Item> {
  const wanted = new Set(asserted.flatMap(({ parts }) => parts.map(({ itemId }) => itemId)));
  return new Map(items.filter(({ itemId }) => wanted.has(itemId)).map((item) => [item.itemId, item]));
}

function notHeldBy(matches: readonly StoredMatch[], items: readonly Item[]): readonly Item[] {
  const held = new Set<string>();
  for (const { parts } of matches) for (const { itemId } of parts) held.add(itemId);
  return held.size === 0 ? items : items.filter(({ itemId }) => !held.has(itemId));
}

/** Returns the observations of the items, and the index of each one's item, with one lookup per observation. */
export function observationsOf(
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

/** The facts about past payouts from which the inference learns the habits of the gateway and the bank. */
export interface PastFacts {
  readonly matches: readonly Pick<StoredMatch, 'lineId' | 'model' | 'stream' | 'cut'>[];
  readonly credits: readonly Pick<PayoutCandidate, 'lineId' | 'bookingDate'>[];
}

/** Returns the latest matched payouts and their model; undefined if no run has found a model. */
export function toHistory({ matches, credits }: PastFacts): History | undefined {
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

/** Returns the model of the latest match with a model; matches by people have none. */
export function lastModel(matches: readonly Pick<StoredMatch, 'model'>[]): string | undefined {
  return matches.findLast(({ model }) => model !== undefined)?.model;
}
