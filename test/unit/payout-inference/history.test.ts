import { expect, test } from '@jest/globals';
import { SCENARIOS } from '../../../scripts/evaluate/generate/scenarios';
import { addDays, businessCalendar, type BusinessDate, WorkingDays } from '../../../src/kernel';
import { inferPayouts, type MatchRequest, type PastPayout, type PayoutModel } from '../../../src/payout-inference';

// Goal: a run that sees one new credit continues where the last one ended.
// Method: the days of a generated world one by one; the credits that a run resolves are absent from the next, except as
// habits.

const SIZE = { items: 500, days: 20 };
const CALENDAR = businessCalendar('Africa/Tunis');

test.each([
  'clean-daily',
  'refunds-before',
  'refunds-after-returned',
  'unrelated-credits',
  'fees-learned',
  'channel-groups',
])('settles %s day by day, each credit with what it paid', (name) => {
  const { exact, wrong, payouts } = dayByDay(name, 3);
  expect(wrong).toEqual([]);
  // The first ones wait until a few payouts chain.
  expect(exact).toBeGreaterThanOrEqual(Math.floor(payouts * 0.6));
});

test('treats a pair before the last settled cut as gone, even if no credit is open', () => {
  const { history, request } = dayByDay('refunds-before', 3);
  const pairs = request.items.filter(({ refundOf }) => refundOf !== undefined);
  expect(pairs.length).toBeGreaterThan(0);
  const { items, model } = inferPayouts({ ...request, lines: [], history });
  expect(model).toBe('sweep-all');
  const last = Math.max(...history.payouts.map(({ cut }) => cut.after));
  const behind = items.filter(({ itemId }) =>
    pairs.some((refund) => refund.itemId === itemId && refund.succeededAt <= last),
  );
  expect(behind.length).toBeGreaterThan(0);
  expect(behind.filter(({ cancelled }) => !cancelled)).toEqual([]);
});

test('keeps to the model of earlier payouts where only one channel is left, which others would explain as well', () => {
  const scenario = SCENARIOS.find(({ name }) => name === 'fees-by-channel-learned');
  if (scenario === undefined) throw new Error('no such scenario');
  const { files, truth } = scenario.generate(1, { items: 2_400, days: 40 });
  const items = files.items.filter(({ channel }) => channel === 'card');
  const cards = new Set(items.map(({ itemId }) => itemId));
  const ofCards = new Set(
    truth.lines.filter(({ itemIds }) => itemIds.some((id) => cards.has(id))).map((l) => l.lineId),
  );
  const others = files.lines.filter(({ lineId, amount }) => amount > 0 && !ofCards.has(lineId)).slice(0, 10);
  const payouts = others.map(({ bookingDate }): PastPayout => {
    const until = CALENDAR.startOf(bookingDate) - 6 * 3_600_000;
    return { stream: 'agent', cut: { after: until - 3_600_000, until }, bookingDate };
  });
  const inference = inferPayouts({
    items,
    observations: files.observations.filter(({ itemId }) => cards.has(itemId)),
    lines: files.lines.filter(({ lineId }) => ofCards.has(lineId)),
    fees: undefined,
    calendar: CALENDAR,
    workingDays: new WorkingDays(files.holidays),
    maxError: 0.001,
    history: { model: 'sweep-per-channel', payouts },
  });
  expect(inference.credits.filter(({ outcome }) => outcome === 'resolved').length).toBeGreaterThan(10);
  expect(inference.model).toBe('sweep-per-channel');
  expect(new Set(inference.streams.map(({ stream }) => stream))).toEqual(new Set(['card']));
});

interface Played {
  readonly exact: number;
  readonly wrong: readonly string[];
  readonly payouts: number;
  readonly history: { readonly model: PayoutModel; readonly payouts: readonly PastPayout[] };
  /** The files as a whole, without what was settled; pairs are still there. */
  readonly request: MatchRequest;
}

function dayByDay(name: string, seed: number): Played {
  const scenario = SCENARIOS.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  const { files, truth } = scenario.generate(seed, SIZE);
  const workingDays = new WorkingDays(files.holidays);
  const paid = new Map(truth.lines.map((line) => [line.lineId, line]));
  const settled = new Set<string>();
  const done = new Set<string>();
  const past: PastPayout[] = [];
  const wrong: string[] = [];
  let model: PayoutModel = 'sweep-all';
  let { fees } = files;
  let exact = 0;
  const bookings = files.lines.map(({ bookingDate }) => bookingDate).sort();
  const requestOn = (day: BusinessDate): MatchRequest => {
    const until = CALENDAR.startOf(addDays(day, 1));
    return {
      items: files.items.filter(({ itemId, succeededAt }) => succeededAt < until && !settled.has(itemId)),
      observations: files.observations.filter(({ observedAt }) => observedAt < until),
      lines: files.lines.filter(({ lineId, bookingDate }) => bookingDate <= day && !done.has(lineId)),
      fees,
      calendar: CALENDAR,
      workingDays,
      maxError: 0.001,
    };
  };
  for (const day of new Set(bookings)) {
    const history = past.length > 0 ? { model, payouts: past } : undefined;
    const inference = inferPayouts({ ...requestOn(day), history });
    for (const { lineId, outcome, itemIds, stream, cut } of inference.credits) {
      if (outcome !== 'resolved' || stream === undefined || cut === undefined) continue;
      const isExact = [...(paid.get(lineId)?.itemIds ?? [])].sort().join() === itemIds.join();
      if (isExact) exact += 1;
      else wrong.push(lineId);
      for (const itemId of itemIds) settled.add(itemId);
      done.add(lineId);
      past.push({ stream, cut, bookingDate: day });
      model = inference.model ?? model;
      if (inference.feesLearned) fees = inference.fees;
    }
  }
  const payouts = truth.lines.filter(({ kind, unknownMillimes }) => kind === 'payout' && unknownMillimes === 0).length;
  const last = bookings.at(-1);
  if (last === undefined) throw new Error('a world has lines');
  return { exact, wrong, payouts, history: { model, payouts: past }, request: requestOn(last) };
}
