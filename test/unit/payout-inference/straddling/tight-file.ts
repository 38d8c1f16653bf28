import {
  businessCalendar,
  type BusinessDate,
  businessDate,
  millimes,
  MINUTE_MS,
  WorkingDays,
} from '../../../../src/kernel';
import type { BankLine, Item, MatchRequest, Observation } from '../../../../src/payout-inference';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const CUT_MINUTE = 6 * 60 + 18;
const BATCH = { fromMinute: 6 * 60, minutes: 40 } as const;
const FIRST_DAY = businessDate('2026-03-02');
const CARD_HOURS = 14;

export interface TightPlan {
  readonly days: number;
  readonly cardsOn: (day: number) => number;
  /** Whether the polls of a card are in the file. */
  readonly isObserved: (day: number, card: number) => boolean;
  readonly amountOf?: (day: number, card: number) => number;
  /** The minute of the day of the cut: by default in the middle of the batch. */
  readonly cutMinute?: number;
  /** The minute of the day at which the batch of a day's cards begins: by default 06:00. */
  readonly batchMinute?: (day: number) => number;
}

export interface TightFile {
  readonly request: MatchRequest;
  /** By line, the items that it pays, in byte order. */
  readonly truth: ReadonlyMap<string, readonly string[]>;
}

/** Cards become available from 06:00 to 06:40, evenly; each working day a cut, by default at 06:18, takes what is available. */
export function tightFile(plan: TightPlan): TightFile {
  const { days, cardsOn, isObserved, amountOf = oddAmount, cutMinute = CUT_MINUTE } = plan;
  const batchMinute = plan.batchMinute ?? ((): number => BATCH.fromMinute);
  const dates = Array.from({ length: days }, (_, day) => WORKING_DAYS.add(FIRST_DAY, day));
  const items: Item[] = [];
  const observations: Observation[] = [];
  const truth = new Map<string, string[]>();
  const amounts = new Map<string, number>();
  dates.forEach((date, day) => {
    const cards = cardsOn(day);
    for (let card = 0; card < cards; card += 1) {
      const itemId = `card-${String(day).padStart(2, '0')}-${String(card).padStart(2, '0')}`;
      const amount = amountOf(day, card);
      const paidAt = minutesInto(date, 8 * 60 + (card * CARD_HOURS * 60) / cards);
      items.push({ itemId, channel: 'card', amount: millimes(amount), succeededAt: paidAt });
      const next = WORKING_DAYS.add(date, 1);
      // Seven is prime to the usual counts, so that time of payment and place in the batch have nothing in common.
      const place = ((card * 7 + day) % cards) / cards;
      const availableMinute = batchMinute(day) + place * BATCH.minutes;
      const isEarly = availableMinute <= cutMinute;
      const cutOn = isEarly ? next : WORKING_DAYS.add(next, 1);
      const lineId = `line-${WORKING_DAYS.add(cutOn, 1)}`;
      truth.set(lineId, [...(truth.get(lineId) ?? []), itemId].sort());
      amounts.set(lineId, (amounts.get(lineId) ?? 0) + amount);
      if (!isObserved(day, card)) continue;
      observations.push(observe(itemId, minutesInto(next, availableMinute - 5 - (card % 4)), 'PROCESSING'));
      const seen = minutesInto(next, availableMinute + 3 + (card % 5));
      observations.push(observe(itemId, seen, isEarly && seen >= minutesInto(next, cutMinute) ? 'PAID' : 'AVAILABLE'));
      if (!isEarly) observations.push(observe(itemId, minutesInto(cutOn, cutMinute - 30), 'AVAILABLE'));
      observations.push(observe(itemId, minutesInto(cutOn, cutMinute + 162 + card), 'PAID'));
    }
  });
  const last = dates.at(-1) ?? FIRST_DAY;
  const lines = [...amounts]
    .map(([lineId, amount]) => lineOn(lineId, amount))
    .filter(({ bookingDate }) => bookingDate <= last);
  return {
    request: {
      items,
      observations,
      lines,
      fees: [],
      calendar: CALENDAR,
      workingDays: WORKING_DAYS,
      maxError: 0.001,
    },
    truth,
  };
}

/** Whole tenths of a dinar without a pattern that a sum could repeat. */
export function oddAmount(day: number, card: number): number {
  return 5_000 + (((day * 389 + card * 1_213 + day * card * 71) * 577) % 1_951) * 100;
}

function lineOn(lineId: string, amount: number): BankLine {
  const date = businessDate(lineId.slice('line-'.length));
  return {
    lineId,
    bookingDate: date,
    valueDate: date,
    amount: millimes(amount),
    counterparty: 'GATEWAY',
    remittance: 'PAYOUT',
  };
}

function observe(itemId: string, observedAt: number, settlementStatus: string): Observation {
  return { itemId, observedAt: observedAt, status: 'SUCCESS', settlementStatus };
}

function minutesInto(date: BusinessDate, minutes: number): number {
  return CALENDAR.startOf(date) + Math.round(minutes * MINUTE_MS);
}
