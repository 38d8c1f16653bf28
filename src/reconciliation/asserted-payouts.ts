import { addDays, type BusinessDate, compareBytes } from '../kernel';
import type { PayoutCandidate } from '../statements';
import { linesOf, type StoredMatch } from './match';

/** Enough for every model to be proven. */
const ASSERTED_MAX = 40;
/** Each run reads the items of the asserted payouts again. */
const ASSERTED_ITEMS_MAX = 20_000;
/** Payouts of a month before the first open credit still chain with it. */
const DAYS_BEFORE_OPEN = 31;

/**
 * Returns the matches by people that the inference reads as evidence: the latest exact ones, from a month before the
 * first open credit on. Without open credits there is nothing to infer. Pure.
 */
export function matchesAsEvidence(
  matches: readonly StoredMatch[],
  credits: readonly PayoutCandidate[],
): readonly StoredMatch[] {
  const held = new Set(matches.flatMap(linesOf));
  const [firstOpen] = credits
    .filter(({ lineId }) => !held.has(lineId))
    .map(({ bookingDate }) => bookingDate)
    .sort();
  if (firstOpen === undefined) return [];
  const from = addDays(firstOpen, -DAYS_BEFORE_OPEN);
  const bookedOn = new Map(credits.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  const found: StoredMatch[] = [];
  let items = 0;
  for (const [match, day] of byDay(matches.filter(isExactByPerson), bookedOn)) {
    items += match.parts.length;
    if (day < from || found.length === ASSERTED_MAX || items > ASSERTED_ITEMS_MAX) break;
    found.push(match);
  }
  return found;
}

function isExactByPerson({ kind, remainder, returned }: StoredMatch): boolean {
  return kind === 'forced' && remainder === 0 && returned === undefined;
}

/** Returns the matches of credits with their booking dates, the latest first. */
function byDay(
  matches: readonly StoredMatch[],
  bookedOn: ReadonlyMap<string, BusinessDate>,
): (readonly [StoredMatch, BusinessDate])[] {
  return matches
    .flatMap((match) => {
      const day = bookedOn.get(match.lineId);
      return day === undefined ? [] : [[match, day] as const];
    })
    .sort(([a, x], [b, y]) => compareBytes(y, x) || compareBytes(a.lineId, b.lineId));
}
