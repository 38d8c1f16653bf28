// Goal: the worlds that judge the engine are consistent: sums agree, items are paid once, files never state the truth.
// Method: every scenario at a small size, checked against its truth; each fault at full size with some seeds.
import { describe, expect, test } from '@jest/globals';
import { SCENARIOS } from '../../../scripts/evaluate/generate/scenarios';
import type { TrueItem, TrueLine, World, WorldSize } from '../../../scripts/evaluate/world';
import { businessCalendar, type Instant, WorkingDays } from '../../../src/kernel';
import type { Item, Observation } from '../../../src/payout-inference';
import { sized } from '../../support/faults';

const SMALL: WorldSize = { items: 240, days: 25 };
const SEEDS = sized({ short: [1, 2, 3], full: [1, 2, 3, 4, 5] });
const NAMES = SCENARIOS.map(({ name }) => name);

/** Scenarios in which a payout may hold what no file explains. */
const WITH_UNKNOWN_AMOUNTS = [
  ...['unknown-item', 'surprise-fee', 'cold-start', 'everything', 'everything-large'],
  ...['bank-charge', 'bank-charge-other', 'bank-charge-any'],
];

function worldOf(name: string, seed = 1, size?: WorldSize): World {
  const scenario = SCENARIOS.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario.generate(seed, size ?? scenario.size);
}

function explained(line: TrueLine, amounts: ReadonlyMap<string, number>): number {
  const gross = line.itemIds.reduce((sum, itemId) => sum + (amounts.get(itemId) ?? Number.NaN), 0);
  return gross - line.feeMillimes - line.tvaMillimes + line.unknownMillimes;
}

function amountsOf({ files }: World): ReadonlyMap<string, number> {
  return new Map(files.items.map(({ itemId, amount }) => [itemId, amount]));
}

const seen = new Map<string, readonly World['truth'][]>();

/** The truth of all seeds of a scenario at its own size, made once. */
function truthsOf(name: string): readonly World['truth'][] {
  const truths = seen.get(name) ?? SEEDS.map((seed) => worldOf(name, seed).truth);
  seen.set(name, truths);
  return truths;
}

test('gives every scenario its own name', () => {
  expect(new Set(NAMES).size).toBe(NAMES.length);
});

describe.each(NAMES)('%s', (name) => {
  const world = worldOf(name, 1, SMALL);
  const { files, truth } = world;
  const lineById = new Map(files.lines.map((line) => [line.lineId, line]));

  test('is the same for the same seed, byte for byte, and differs for another seed', () => {
    expect(JSON.stringify(worldOf(name, 1, SMALL))).toBe(JSON.stringify(world));
    expect(JSON.stringify(worldOf(name, 2, SMALL))).not.toBe(JSON.stringify(world));
  });

  test('gives each item and line one id, and its truth has exactly these', () => {
    const itemIds = files.items.map(({ itemId }) => itemId);
    // Where only regular payments happen, there may be one a day.
    expect(itemIds.length).toBeGreaterThan(SMALL.days / 2);
    expect(new Set(itemIds).size).toBe(itemIds.length);
    expect(truth.items.map(({ itemId }) => itemId).sort()).toEqual([...itemIds].sort());
    expect(lineById.size).toBe(files.lines.length);
    expect(truth.lines.map(({ lineId }) => lineId)).toEqual(files.lines.map(({ lineId }) => lineId));
    expect(files.lines.length).toBeGreaterThan(0);
  });

  test('explains every line to the millime', () => {
    const amounts = amountsOf(world);
    for (const line of truth.lines.filter(({ kind }) => kind !== 'unrelated' && kind !== 'split')) {
      const amount = lineById.get(line.lineId)?.amount ?? 0;
      expect(explained(line, amounts)).toBe(line.kind === 'return_debit' ? -amount : amount);
      if (!WITH_UNKNOWN_AMOUNTS.includes(name)) expect(line.unknownMillimes).toBe(0);
    }
  });

  test('pays an item by exactly the lines that hold it, and never by two payouts', () => {
    const holding = new Map<string, string[]>();
    for (const { lineId, kind, itemIds } of truth.lines) {
      if (kind === 'return_debit') continue;
      for (const itemId of itemIds) holding.set(itemId, [...(holding.get(itemId) ?? []), lineId]);
    }
    const kinds = new Map(truth.lines.map(({ lineId, kind }) => [lineId, kind]));
    const merged = new Set(truth.lines.filter(({ kind }) => kind === 'merged').map(({ lineId }) => lineId));
    const isRight = ({ itemId, paidByLineIds, cancelled }: TrueItem): boolean => {
      // A pair inside one credit of two payouts is left out of the credit's items.
      const isMerged = paidByLineIds.some((lineId) => merged.has(lineId));
      const isHeld = isMerged || paidByLineIds.join() === (holding.get(itemId) ?? []).join();
      const isOnce = paidByLineIds.length <= 1 || paidByLineIds.every((lineId) => kinds.get(lineId) !== 'payout');
      return isHeld && isOnce && paidByLineIds.length <= (cancelled ? 0 : 2);
    };
    expect(truth.items.filter((item) => !isRight(item))).toEqual([]);
  });

  test('pays nothing before it is available', () => {
    const availableAt = new Map(truth.items.map((item) => [item.itemId, item.availableAt]));
    for (const { itemIds, cuts } of truth.lines) {
      const lastCut = Math.max(...cuts.map(({ cutAt }) => cutAt));
      expect(itemIds.filter((itemId) => (availableAt.get(itemId) ?? Number.NaN) > lastCut)).toEqual([]);
    }
  });

  test('makes card money available on the next working day, and shows PROCESSING until then', () => {
    const calendar = businessCalendar('Africa/Tunis');
    const workingDays = new WorkingDays(files.holidays);
    const cards = new Map(files.items.filter((item) => item.channel === 'card').map((item) => [item.itemId, item]));
    const availableAt = new Map<string, Instant>(truth.items.map((item) => [item.itemId, item.availableAt]));
    const observations = files.observations.filter(({ itemId }) => cards.has(itemId));
    expect(files.observations.length === 0 || cards.size === 0 || observations.length > 0).toBe(true);
    const skewMs = truth.clockSkewMaxMs;
    const isTrue = ({ itemId, observedAt, settlementStatus }: Observation): boolean => {
      const available = availableAt.get(itemId) ?? Number.NaN;
      if (settlementStatus === 'NOT_APPLICABLE') return true;
      return settlementStatus === 'PROCESSING' ? observedAt - skewMs < available : observedAt + skewMs >= available;
    };
    expect(observations.filter((observation) => !isTrue(observation))).toEqual([]);
    const lastObservedAt = observations.at(-1)?.observedAt ?? 0;
    const late = [...cards.values()].filter(({ itemId, succeededAt, amount }) => {
      const available = availableAt.get(itemId) ?? Number.NaN;
      if (amount < 0 || available >= lastObservedAt) return false;
      return calendar.dateOf(available) !== workingDays.add(calendar.dateOf(succeededAt), 1);
    });
    expect(late).toEqual([]);
  });

  test('observes only items that the files have', () => {
    const known = new Set(files.items.map(({ itemId }) => itemId));
    expect(files.observations.filter(({ itemId }) => !known.has(itemId))).toEqual([]);
    expect(files.items.filter(({ refundOf }) => refundOf !== undefined && !known.has(refundOf))).toEqual([]);
  });
});

describe('a scenario with faults', () => {
  test.each([
    ['returned-payout', 'returned_credit'],
    ['returned-payout', 'return_debit'],
    ['returned-payout', 'paid_again'],
    ['merged-credits', 'merged'],
    ['split-credits', 'split'],
    ['unrelated-credits', 'unrelated'],
    ['look-alike-credits', 'unrelated'],
  ])('%s has lines that are %s', (name, kind) => {
    expect(truthsOf(name).flatMap(({ lines }) => lines.filter((line) => line.kind === kind)).length).toBeGreaterThan(1);
  });

  test.each([
    ['unknown-item', 'ambiguous_payout'],
    ['surprise-fee', 'fee_unexplained'],
    ['returned-payout', 'returned_payout'],
    ['split-credits', 'ambiguous_payout'],
    ['missing-line', 'missing_in_bank'],
    ['unrelated-credits', 'missing_in_book'],
    ['look-alike-credits', 'missing_in_book'],
    ['cancelled-cut', 'settlement_regressed'],
    ['refund-forgotten', 'refund_not_reflected'],
    ['refunds-ignored', 'refund_not_reflected'],
    ['bank-charge', 'fee_unexplained'],
    ['card-and-agents', 'clearing_unexplained'],
    ['stuck-cards', 'late_settlement'],
    ['nothing-paid', 'clearing_unexplained'],
    ['nothing-paid', 'missing_in_book'],
    ['card-only', 'clearing_unexplained'],
  ])('%s justifies breaks of class %s', (name, breakClass) => {
    expect(
      truthsOf(name).flatMap(({ breaks }) => breaks.filter((each) => each.breakClass === breakClass)).length,
    ).toBeGreaterThan(1);
  });

  test.each(
    NAMES.filter((name) =>
      /^(clean|fees|refunds-(before|after)|per-|whole|odd|price-points$|tight|rolling|poll|late-)/.test(name),
    ),
  )('%s justifies no break', (name) => {
    expect([...worldOf(name, 1, SMALL).truth.breaks]).toEqual([]);
  });
});

test('pays a late item by the next cut although it is available at the one before', () => {
  const late = SEEDS.flatMap((seed) => {
    const { truth } = worldOf('late-item', seed);
    const available = new Map(truth.items.map((item) => [item.itemId, item.availableAt]));
    return truth.lines.flatMap(({ itemIds, cuts }) => {
      const cutAt = cuts[0]?.cutAt ?? 0;
      const before = truth.cuts.filter((cut) => cut.cutAt < cutAt).at(-1)?.cutAt ?? 0;
      return itemIds.filter((itemId) => (available.get(itemId) ?? 0) <= before);
    });
  });
  expect(late.length).toBeGreaterThan(0);
});

test('splits a payout into parts that add up to it', () => {
  const world = worldOf('split-credits', 1);
  const files = amountsOf(world);
  const parts = world.truth.lines.filter(({ kind }) => kind === 'split');
  const amounts = new Map(world.files.lines.map(({ lineId, amount }) => [lineId, amount]));
  const byCut = new Map<Instant | undefined, TrueLine[]>();
  for (const part of parts) byCut.set(part.cuts[0]?.cutAt, [...(byCut.get(part.cuts[0]?.cutAt) ?? []), part]);
  const whole = [...byCut.values()].filter((both) => both.length === 2);
  expect(whole.length).toBeGreaterThan(0);
  for (const both of whole) {
    const sum = both.reduce((total, { lineId }) => total + (amounts.get(lineId) ?? 0), 0);
    expect(both.map((part) => explained(part, files))).toEqual([sum, sum]);
  }
});

test('has no payout line and no paid item where nothing is paid', () => {
  const { truth } = worldOf('nothing-paid');
  expect(truth.model).toBeUndefined();
  expect(truth.lines.filter(({ kind }) => kind !== 'unrelated')).toEqual([]);
  expect(truth.items.filter(({ paidByLineIds }) => paidByLineIds.length > 0)).toEqual([]);
});

test('writes fees into the files only where the scenario gives them', () => {
  expect(worldOf('fees-given', 1, SMALL).files.fees).toEqual(worldOf('fees-given', 1, SMALL).truth.fees);
  expect(worldOf('fees-learned', 1, SMALL).files.fees).toBeUndefined();
  expect(worldOf('fees-changed', 1, SMALL).truth.fees.some(({ from }) => from !== undefined)).toBe(true);
});

test('writes intervals only in their scenario, and they hold the true instant', () => {
  const { files, truth } = worldOf('intervals-given', 1, SMALL);
  const available = new Map(truth.items.map((item) => [item.itemId, item.availableAt]));
  const given = files.items.filter(({ availableAfter }) => availableAfter !== undefined);
  expect(given.length).toBeGreaterThan(SMALL.items / 2);
  const isOutside = ({ itemId, availableAfter = 0, availableUntil = 0 }: Item): boolean => {
    const instant = available.get(itemId) ?? Number.NaN;
    return !(availableAfter < instant && instant <= availableUntil);
  };
  expect(given.filter(isOutside)).toEqual([]);
  expect(worldOf('clean-daily', 1, SMALL).files.items.some((item) => item.availableUntil !== undefined)).toBe(false);
});
