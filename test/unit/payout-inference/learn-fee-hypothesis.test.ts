// Goal: fees are learned wherever the file shows them, and the search for them ends on a small file.
// Method: files whose payouts are generated under known fees; the items of each resolved credit must be those it paid.
import { expect, test } from '@jest/globals';
import { businessCalendar, businessDate, HOUR_MS, millimes, WorkingDays } from '../../../src/kernel';
import {
  type BankLine,
  type Channel,
  CHANNELS,
  feeOn,
  type FeeRule,
  inferPayouts,
  type Item,
  type MatchRequest,
} from '../../../src/payout-inference';
import { type Random, randomFrom } from '../../support/random';

const CALENDAR = businessCalendar('Africa/Tunis');
const WORKING_DAYS = new WorkingDays([]);
const FIRST_DAY = businessDate('2026-03-02');
const ALL = 'all';

interface Plan {
  readonly seed: number;
  readonly days: number;
  readonly channels: readonly Channel[];
  readonly itemsPerDay: number;
  readonly rules: readonly FeeRule[];
  /** The rules of the cuts of a day, if they change. */
  readonly rulesOn?: (day: number) => readonly FeeRule[];
  /** The hour of the cut by stream: a channel, or all of them. */
  readonly cutHours: Readonly<Partial<Record<Channel | typeof ALL, number>>>;
  /** The first day whose payouts are on the bank statement. */
  readonly firstOnBank?: number;
  /** Credits of these days are not what the fees say. */
  readonly isSpoilt?: (day: number) => boolean;
}

interface Told {
  readonly request: MatchRequest;
  readonly truth: ReadonlyMap<string, readonly string[]>;
}

/** Items over each working day, a cut of each stream at its hour, and its credit on the next working day. */
function told(plan: Plan): Told {
  const random = randomFrom(plan.seed);
  const items = Array.from({ length: plan.days }, (_, day) => itemsOf(plan, day, random)).flat();
  const lines: BankLine[] = [];
  const truth = new Map<string, readonly string[]>();
  for (const [stream, hour] of Object.entries(plan.cutHours)) {
    let left = items.filter(({ channel }) => stream === ALL || channel === stream);
    for (let day = 1; day < plan.days; day += 1) {
      const cut = startOf(day) + hour * HOUR_MS;
      const paid = left.filter(({ succeededAt }) => succeededAt <= cut);
      left = left.filter(({ succeededAt }) => succeededAt > cut);
      if (paid.length === 0 || day < (plan.firstOnBank ?? 0)) continue;
      const isSpoilt = plan.isSpoilt?.(day) === true;
      const line = creditOf(
        `${stream}-${day}`,
        day + 1,
        netOf(paid, plan.rulesOn?.(day) ?? plan.rules) - (isSpoilt ? 1_000 + random.below(9_000) : 0),
      );
      lines.push(line);
      if (!isSpoilt) truth.set(line.lineId, paid.map(({ itemId }) => itemId).sort());
    }
  }
  items.sort((a, b) => a.succeededAt - b.succeededAt);
  return {
    request: {
      items,
      observations: [],
      lines,
      fees: undefined,
      calendar: CALENDAR,
      workingDays: WORKING_DAYS,
      maxError: 0.001,
    },
    truth,
  };
}

function itemsOf({ channels, itemsPerDay }: Plan, day: number, random: Random): Item[] {
  return channels.flatMap((channel) =>
    Array.from({ length: Math.ceil(itemsPerDay / channels.length) }, (_, place): Item => {
      const succeededAt = startOf(day) + Math.floor(((6 + random.below(1_700) / 100) * HOUR_MS) / 1_000) * 1_000;
      return {
        itemId: `${channel}-${day}-${place}`,
        channel,
        amount: millimes(4_000 + random.below(1_500) * 100),
        succeededAt,
        // Cards, too, are available at once, so that no hour must be guessed.
        availableAfter: succeededAt - 1,
        availableUntil: succeededAt,
      };
    }),
  );
}

function startOf(day: number): number {
  return CALENDAR.startOf(WORKING_DAYS.add(FIRST_DAY, day));
}

function netOf(items: readonly Item[], rules: readonly FeeRule[]): number {
  return items.reduce((sum, { channel, amount }) => {
    const rule = rules.find((each) => each.channel === channel);
    const { fee, tva } = rule === undefined ? { fee: 0, tva: 0 } : feeOn(amount, rule);
    return sum + amount - fee - tva;
  }, 0);
}

function creditOf(lineId: string, day: number, amount: number): BankLine {
  const bookingDate = WORKING_DAYS.add(FIRST_DAY, day);
  return {
    lineId,
    bookingDate,
    valueDate: bookingDate,
    amount: millimes(amount),
    counterparty: 'GATEWAY',
    remittance: '',
  };
}

function aRule(channel: Channel, ratePpm: number, fixedMillimes: number): FeeRule {
  return {
    channel,
    ratePpm,
    fixedMillimes: millimes(fixedMillimes),
    tvaPpm: 190_000,
    rounding: 'half_up',
    basis: 'item',
  };
}

function outcomesOf({ request, truth }: Told): { right: number; wrong: number; cutShort: number } {
  const counted = { right: 0, wrong: 0, cutShort: 0 };
  for (const { lineId, outcome, itemIds } of inferPayouts(request).credits) {
    if (outcome === 'search_cut_short') counted.cutShort += 1;
    if (outcome !== 'resolved') continue;
    if ([...itemIds].sort().join() === truth.get(lineId)?.join()) counted.right += 1;
    else counted.wrong += 1;
  }
  return counted;
}

test('learns the fees of each channel though each is cut at its own hour', () => {
  const rules = CHANNELS.map((channel, place) => aRule(channel, 8_000 + 2_500 * place, (place % 3) * 50));
  const cutHours = Object.fromEntries(CHANNELS.map((channel, place) => [channel, 8 + 1.5 * place]));
  const file = told({ seed: 5, days: 32, channels: CHANNELS, itemsPerDay: 210, rules, cutHours, firstOnBank: 4 });
  expect(file.request.lines.length).toBeGreaterThan(160);
  const { right, wrong, cutShort } = outcomesOf(file);
  expect({ wrong, cutShort }).toEqual({ wrong: 0, cutShort: 0 });
  expect(right).toBeGreaterThan(0.9 * file.truth.size);
});

test('learns the fee of one channel although the first third of the payouts lacks something else', () => {
  const channels = ['wallet', 'qr', 'agent'] as const;
  const file = told({
    seed: 6,
    days: 60,
    channels,
    itemsPerDay: 30,
    rules: [aRule('qr', 15_000, 0)],
    cutHours: { [ALL]: 9.2 },
    isSpoilt: (day) => day < 20,
  });
  const { right, wrong } = outcomesOf(file);
  expect(wrong).toBe(0);
  expect(right).toBeGreaterThan(0.9 * file.truth.size);
});

test('learns two changes of fees', () => {
  const channels = ['wallet', 'agent'] as const;
  const rates = [12_000, 15_000, 9_500];
  const file = told({
    seed: 9,
    days: 60,
    channels,
    itemsPerDay: 20,
    rules: [],
    rulesOn: (day) => channels.map((channel) => aRule(channel, rates[Math.floor(day / 20)] ?? 0, 0)),
    cutHours: { [ALL]: 9.2 },
  });
  const { right, wrong } = outcomesOf(file);
  expect(wrong).toBe(0);
  expect(right).toBeGreaterThan(0.9 * file.truth.size);
});

test.each([7, 8])('ends the search on a small file that pays nothing (seed %i)', (seed) => {
  const file = told({
    seed,
    days: 29,
    channels: CHANNELS,
    itemsPerDay: 70,
    rules: [],
    cutHours: Object.fromEntries(CHANNELS.map((channel, place) => [channel, 8 + 1.5 * place])),
    isSpoilt: () => true,
  });
  expect(outcomesOf(file)).toEqual({ right: 0, wrong: 0, cutShort: 0 });
});
