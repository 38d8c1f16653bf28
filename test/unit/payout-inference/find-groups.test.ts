// Goal: the channels that one transfer pays together are found, and nothing else is claimed.
// Method: generated files of gateways that pay groups of channels, each at an hour of its own.
import { describe, expect, test } from '@jest/globals';
import { type Channel, CHANNELS, inferPayouts, type PastPayout } from '../../../src/payout-inference';
import { findGroups } from '../../../src/payout-inference/find-groups';
import { inferModel } from '../../../src/payout-inference/infer-model';
import { prepareFile } from '../../../src/payout-inference/prepare-file';
import { learnCardRules } from '../../../src/payout-inference/testing';
import { sized } from '../../support/faults';
import { answerTo, type FilePlan, paidFile } from './paid-file';

const SHARES: FilePlan['channels'] = [
  ['card', 40],
  ['wallet', 15],
  ['agent', 12],
  ['mpayment', 10],
  ['pos', 10],
  ['qr', 8],
  ['subscription', 5],
];
const at = (hour: number, ...channels: Channel[]): FilePlan['transfers'][number] => ({
  channels,
  cut: { kind: 'daily', hour },
});

function planOf(seed: number, transfers: FilePlan['transfers'], more: Partial<FilePlan> = {}): FilePlan {
  const base = {
    seed,
    days: 45,
    itemsPerDay: 50,
    channels: SHARES,
    amounts: 'dinars',
    lag: 1,
    isObserved: true,
  } as const;
  return { ...base, transfers, ...more };
}

describe.each(sized({ short: [1], full: [1, 2, 3, 4] }))('seed %i', (seed) => {
  test.each([
    [
      'two channels together, the others each alone',
      [
        at(10, 'wallet', 'mpayment'),
        ...(['agent', 'card', 'pos', 'qr', 'subscription'] as const).map((channel) => at(16, channel)),
      ],
    ],
    [
      'two groups with clocks of their own',
      [at(10, 'wallet', 'mpayment', 'qr'), at(17, 'agent', 'card', 'pos', 'subscription')],
    ],
    [
      'two groups at the same hour',
      [at(16, 'wallet', 'mpayment', 'qr'), at(16, 'agent', 'card', 'pos', 'subscription')],
    ],
    [
      'three groups, and one channel that is never paid',
      [at(10, 'wallet', 'mpayment'), at(17, 'card', 'pos'), at(13, 'agent', 'qr')],
    ],
    ['all channels but one together', [at(16, 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription')]],
    ['one group, and nothing else', [at(12, 'wallet', 'mpayment')]],
  ])('finds %s', (_, transfers) => {
    const { model, streams, exact, wrong, payouts } = answerTo(paidFile(planOf(seed, transfers)));
    expect(wrong).toEqual([]);
    expect(model).toBe('sweep-by-group');
    expect(streams).toEqual(
      transfers.map(({ channels }) => CHANNELS.filter((each) => channels.includes(each)).join('+')).sort(),
    );
    expect(exact).toBeGreaterThan(0.75 * payouts);
  });

  test('finds a rare channel that is not paid, although all channels together explain most credits', () => {
    const channels = SHARES.map(([channel, share]) => [channel, channel === 'qr' ? 1 : share] as const);
    const paid = channels.map(([channel]) => channel).filter((channel) => channel !== 'qr');
    const { model, exact, wrong, payouts } = answerTo(paidFile(planOf(seed, [at(16, ...paid)], { channels })));
    expect({ model, wrong }).toEqual({ model: 'sweep-by-group', wrong: [] });
    expect(exact).toBeGreaterThan(0.75 * payouts);
  });

  test('keeps the names of the other models', () => {
    const all = SHARES.map(([channel]) => channel);
    expect(answerTo(paidFile(planOf(seed, [at(16, ...all)], { othersPercent: 40 }))).model).toBe('sweep-all');
    const each = all.map((channel) => at(16, channel));
    expect(answerTo(paidFile(planOf(seed, each, { othersPercent: 40 }))).model).toBe('sweep-per-channel');
    expect(answerTo(paidFile(planOf(seed, [at(9, 'card'), at(17, 'agent')])))).toMatchObject({
      model: 'sweep-per-channel',
      streams: ['agent', 'card'],
      wrong: [],
    });
  });
});

test('leaves credits ambiguous if another partition pays other items for the same sums', () => {
  const plan = planOf(1, [at(16, 'wallet', 'pos'), at(16, 'agent', 'qr')], { pairs: ['pos', 'qr'] });
  const { exact, wrong } = answerTo(paidFile(plan));
  expect({ exact, wrong }).toEqual({ exact: 0, wrong: [] });
});

test('searches the other channels if the known answer is of cards alone', () => {
  const { request } = paidFile(planOf(1, [at(16, 'card'), at(10, 'wallet', 'mpayment')]));
  const file = prepareFile(request);
  const cardRules = learnCardRules(request.items, file.bounds, file.grid);
  const fees = { rules: [], clawback: 'kept' } as const;
  const known = inferModel(file, { model: 'sweep-card-only', cardRule: cardRules[0], fees });
  expect(known.explained).toBeGreaterThan(10);
  const found = findGroups(file, { cardRules, fees, known })?.answer;
  expect(found?.hypothesis.groups).toEqual(['card', 'wallet+mpayment', 'agent', 'pos', 'qr', 'subscription']);
});

test('claims nothing if another merchant is paid', () => {
  const ours = paidFile(planOf(1, [at(16, 'wallet', 'mpayment')]));
  const theirs = paidFile(planOf(2, [at(10, 'wallet', 'mpayment'), at(17, 'card', 'pos', 'qr')]));
  for (const fees of [[], undefined]) {
    const { credits } = inferPayouts({ ...ours.request, lines: theirs.request.lines, fees });
    expect(credits.filter(({ outcome }) => outcome !== 'unexplained')).toEqual([]);
  }
});

test('gives the same answer for any order of the files', () => {
  const { request } = paidFile(planOf(1, [at(10, 'wallet', 'mpayment'), at(17, 'card', 'pos'), at(13, 'agent', 'qr')]));
  const { credits, streams } = inferPayouts(request);
  const reversed = inferPayouts({
    ...request,
    items: [...request.items].reverse(),
    observations: [...request.observations].reverse(),
    lines: [...request.lines].reverse(),
  });
  expect(reversed.streams).toEqual(streams);
  expect(reversed.credits).toEqual(credits);
});

test('continues the groups of earlier payouts with one new credit of each', () => {
  const transfers = [at(10, 'wallet', 'mpayment'), at(17, 'card', 'agent', 'pos')];
  const file = paidFile(planOf(3, transfers, { amounts: 'millimes' }));
  const { credits } = inferPayouts(file.request);
  const bookingOf = new Map(file.request.lines.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  const resolved = credits.filter(({ outcome }) => outcome === 'resolved');
  const lastDay = [...bookingOf.values()].sort().at(-1);
  const before = resolved.filter(({ lineId }) => bookingOf.get(lineId) !== lastDay);
  const payouts = before.flatMap(({ lineId, stream, cut }): PastPayout[] => {
    const bookingDate = bookingOf.get(lineId);
    return stream === undefined || cut === undefined || bookingDate === undefined ? [] : [{ stream, cut, bookingDate }];
  });
  const settled = new Set(before.flatMap(({ itemIds }) => itemIds));
  const request = {
    ...file.request,
    items: file.request.items.filter(({ itemId }) => !settled.has(itemId)),
    observations: file.request.observations.filter(({ itemId }) => !settled.has(itemId)),
    lines: file.request.lines.filter(({ bookingDate }) => bookingDate === lastDay),
    history: { model: 'sweep-by-group' as const, payouts },
  };
  const { model, exact, wrong, streams } = answerTo({ request, truth: file.truth });
  expect({ model, exact, wrong, streams }).toEqual({
    model: 'sweep-by-group',
    exact: 2,
    wrong: [],
    streams: ['agent+card+pos', 'wallet+mpayment'],
  });
  // Before new credits, the items belong to the same streams.
  const { items } = inferPayouts({ ...request, lines: [] });
  expect(new Set(items.map(({ stream }) => stream))).toEqual(
    new Set(['agent+card+pos', 'wallet+mpayment', 'qr', 'subscription']),
  );
});
