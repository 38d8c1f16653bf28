import type { BusinessCalendar, WorkingDays } from '../kernel';
import {
  PAYOUT_MODELS,
  type BankLine,
  type FeeRule,
  type History,
  type MatchRequest,
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
  const heldItems = new Set(facts.matches.flatMap(({ parts }) => parts.map(({ itemId }) => itemId)));
  const heldLines = new Set(facts.matches.flatMap(linesOf));
  const items = facts.items.filter(({ itemId }) => !heldItems.has(itemId));
  const open = new Set(items.map(({ itemId }) => itemId));
  return {
    items,
    observations: facts.observations.filter(({ itemId }) => open.has(itemId)),
    lines: [...facts.credits, ...facts.debits].filter(({ lineId }) => !heldLines.has(lineId)).map(toBankLine),
    fees: context.fees,
    calendar: context.calendar,
    workingDays: context.workingDays,
    maxError: context.maxError,
    history: toHistory(facts),
  };
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
