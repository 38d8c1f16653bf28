// Goal: if the file does not decide the gateway's rule, model or habit, the alternative raises the claimed error.
// Method: small files that two hypotheses explain equally, each generated from both; the true one must not be excluded.
import { describe, expect, test } from '@jest/globals';
import {
  businessCalendar,
  type BusinessDate,
  businessDate,
  HOUR_MS,
  millimes,
  MINUTE_MS,
  WorkingDays,
} from '../../../src/kernel';
import { type BankLine, type Channel, inferPayouts, type Item, type MatchRequest } from '../../../src/payout-inference';
import { sized } from '../../support/faults';
import { randomFrom } from '../../support/random';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const FIRST_DAY = businessDate('2026-03-02');
/** The same price each evening: one of them for the other changes no sum. */
const EVENING_PRICE = 9_900;
const DAYS = 16;
/** Of files in which the evidence has grown. */
const LONG = 84;
/** The bank file begins and ends in the middle, so that no chain is shown to begin or end anywhere. */
const DAYS_WITHOUT_BANK = 3;

interface Told {
  readonly request: MatchRequest;
  readonly truth: ReadonlyMap<string, readonly string[]>;
}

interface Paid {
  readonly item: Item;
  readonly availableAt: number;
}

const dayOf = (index: number): BusinessDate => WORKING_DAYS.add(FIRST_DAY, index);
const at = (date: BusinessDate, hours: number): number => CALENDAR.startOf(date) + hours * HOUR_MS;

/** What a cut takes is one transfer, or one for each of its groups. */
type Grouping = (item: Item) => string;
const ALL_TOGETHER: Grouping = () => 'all';

/** Items in order, a cut at the hour of each working day, and its credits on the next one. */
function sweptDaily(
  paid: readonly Paid[],
  cutHour: number,
  isOnBank: (day: number) => boolean,
  groupOf: Grouping = ALL_TOGETHER,
): Told {
  const lines: BankLine[] = [];
  const truth = new Map<string, readonly string[]>();
  let left = [...paid];
  for (let day = 1; left.length > 0; day += 1) {
    const cut = at(dayOf(day), cutHour);
    const swept = left.filter(({ availableAt }) => availableAt <= cut);
    left = left.filter(({ availableAt }) => availableAt > cut);
    if (!isOnBank(day)) continue;
    for (const group of new Set(swept.map(({ item }) => groupOf(item)))) {
      const taken = swept.filter(({ item }) => groupOf(item) === group);
      pay(day, group, taken);
    }
  }

  function pay(day: number, group: string, taken: readonly Paid[]): void {
    const booked = dayOf(day + 1);
    const lineId = `L${String(day).padStart(3, '0')}-${group}`;
    const amount = millimes(taken.reduce((sum, { item }) => sum + item.amount, 0));
    lines.push({
      lineId,
      bookingDate: booked,
      valueDate: booked,
      amount,
      counterparty: 'GATEWAY',
      remittance: 'PAYOUT',
    });
    truth.set(
      lineId,
      taken.map(({ item }) => item.itemId),
    );
  }
  const request = {
    items: paid.map(({ item }) => item),
    observations: [],
    lines,
    fees: [],
    calendar: CALENDAR,
    workingDays: WORKING_DAYS,
    maxError: 0.001,
  };
  return { request, truth };
}

/** Random payments by day, and one at the evening price, all of one channel. */
function payments(seed: number, channel: Channel, availableAt: (item: Item) => number, days = DAYS): Paid[] {
  const random = randomFrom(seed);
  const item = (itemId: string, amount: number, succeededAt: number): Item => ({
    ...{ itemId, channel, amount: millimes(amount), succeededAt },
  });
  const items = Array.from({ length: days }, (_, day) => [
    ...Array.from({ length: 5 }, (__, place) =>
      item(
        `${channel}-P${day}-${place}`,
        9_000 + random.below(290_000),
        at(dayOf(day), 8) + random.below(9 * 60) * MINUTE_MS,
      ),
    ),
    item(`${channel}-E${day}`, EVENING_PRICE, at(dayOf(day), 20) + random.below(30) * MINUTE_MS),
  ]).flat();
  return items.map((each) => ({ item: each, availableAt: availableAt(each) }));
}

function wrongOf({ request, truth }: Told): string[] {
  return inferPayouts(request)
    .credits.filter(({ outcome }) => outcome === 'resolved')
    .filter(({ lineId, itemIds }) => [...itemIds].sort().join() !== [...(truth.get(lineId) ?? [])].sort().join())
    .map(({ lineId }) => lineId);
}

const AT_ONCE = ({ succeededAt }: Item): number => succeededAt;
const nextDayAt = (item: Item, hours: number): number =>
  at(WORKING_DAYS.add(CALENDAR.dateOf(item.succeededAt), 1), hours);
const atItsClockTime = (item: Item): number =>
  nextDayAt(item, 0) + item.succeededAt - CALENDAR.startOf(CALENDAR.dateOf(item.succeededAt));
const inTheMiddle = (day: number): boolean => day > DAYS_WITHOUT_BANK && day < DAYS - DAYS_WITHOUT_BANK;
const notAtTheEnds = (day: number): boolean => day > DAYS_WITHOUT_BANK && day < LONG - DAYS_WITHOUT_BANK;

describe.each(sized({ short: [1], full: [1, 2, 3, 4, 5, 6] }))('seed %i', (seed) => {
  test.each([
    ['each at its own time', atItsClockTime],
    ['all of a day together', (item: Item) => nextDayAt(item, 6)],
  ])(
    'does not exchange cards without observations, which become available %s, for those of another evening',
    (_, rule) => {
      expect(wrongOf(sweptDaily(payments(seed, 'card', rule), 18, inTheMiddle))).toEqual([]);
      expect(wrongOf(sweptDaily(payments(seed, 'card', rule), 18, () => true))).toEqual([]);
    },
  );

  test.each([18, 22])('leaves credits ambiguous when two cut hours (%i) fit all of them', (cutHour) => {
    expect(wrongOf(sweptDaily(payments(seed, 'wallet', AT_ONCE), cutHour, inTheMiddle))).toEqual([]);
  });

  test.each([18, 22])('resolves nothing wrongly when two channels have the same cut hour (%i)', (cutHour) => {
    const paid = (['wallet', 'pos'] as const).flatMap((channel) => payments(seed, channel, AT_ONCE));
    expect(wrongOf(sweptDaily(paid, cutHour, inTheMiddle, ({ channel }) => channel))).toEqual([]);
  });

  test.each([18, 22])('resolves nothing wrongly when each item is paid by itself (%i)', (cutHour) => {
    const paid = payments(seed, 'wallet', AT_ONCE, LONG);
    expect(wrongOf(sweptDaily(paid, cutHour, notAtTheEnds, ({ itemId }) => itemId))).toEqual([]);
  });
});

test.each(sized({ short: [18], full: [18, 22] }))(
  'is no surer of one of two cut hours (%i) in a long file',
  (cutHour) => {
    expect(wrongOf(sweptDaily(payments(1, 'wallet', AT_ONCE, 2 * LONG), cutHour, () => true))).toEqual([]);
  },
);
