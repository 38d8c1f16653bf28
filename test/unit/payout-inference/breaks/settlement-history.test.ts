import { describe, expect, test } from '@jest/globals';
import type { Observation } from '../../../../src/payout-inference';
import { at, credit, firstDayOf, judge, ofClass, unpaid } from './judged-file';

const observe = (time: string, settlementStatus: string, itemId = 'a'): Observation => ({
  itemId,
  observedAt: at(time),
  status: 'SUCCESS',
  settlementStatus,
});

const credits = [credit('last', '2026-05-29', 1, { outcome: 'ambiguous' })];

describe('settlement_regressed', () => {
  const find = (observations: readonly Observation[]) =>
    ofClass(judge({ items: [unpaid('a', '2026-03-02 10:00', 100)], credits, observations }), 'settlement_regressed');

  test.each([
    ['IN_PAYOUT', 'AVAILABLE'],
    ['IN_PAYOUT', 'PROCESSING'],
    ['PAID', 'AVAILABLE'],
    ['PAID', 'PROCESSING'],
  ])('names an item that went back from %s to %s, since the observation that showed it', (from, to) => {
    const observations = [
      observe('2026-03-03 17:10', from),
      observe('2026-03-04 00:20', to),
      observe('2026-03-06 17:10', 'PAID'),
    ];
    const expected = [
      {
        fingerprint: 'settlement_regressed:a',
        breakClass: 'settlement_regressed',
        amount: 100,
        itemIds: ['a'],
        lineIds: [],
        since: '2026-03-04',
      },
    ];
    expect(find(observations)).toEqual(expected);
    expect(find(observations.toReversed())).toEqual(expected);
  });

  test.each([
    ['moves on', [observe('2026-03-02 12:00', 'AVAILABLE'), observe('2026-03-03 17:10', 'IN_PAYOUT')]],
    [
      'is refunded after its payout',
      [observe('2026-03-03 17:10', 'PAID'), observe('2026-03-04 10:00', 'NOT_APPLICABLE')],
    ],
    [
      'shows two states at one instant',
      [observe('2026-03-03 17:10', 'IN_PAYOUT'), observe('2026-03-03 17:10', 'AVAILABLE')],
    ],
    ['stands beside another', [observe('2026-03-03 17:10', 'PAID'), observe('2026-03-04 10:00', 'AVAILABLE', 'b')]],
  ])('does not name one that %s', (_what, observations) => {
    expect(find(observations)).toEqual([]);
  });
});

describe('late_settlement', () => {
  const card = unpaid('a', '2026-03-05 10:00', 100, { channel: 'card' });
  const find = (observations: readonly Observation[], horizon?: string, item = card) =>
    ofClass(judge({ items: [item], credits, observations }, horizon), 'late_settlement');

  // Thursday 5 March: T+1 is Friday; Monday and Tuesday are the grace.
  test('names a card that is PROCESSING on the third working day after T+1', () => {
    expect(find([observe('2026-03-10 23:59', 'PROCESSING')])).toEqual([]);
    expect(find([observe('2026-03-11 00:00', 'PROCESSING')])).toEqual([
      {
        fingerprint: 'late_settlement:a',
        breakClass: 'late_settlement',
        amount: 100,
        itemIds: ['a'],
        lineIds: [],
        since: '2026-03-11',
      },
    ]);
  });

  test('counts no holiday and no week-end', () => {
    const item = unpaid('a', '2026-03-18 10:00', 100, { channel: 'card' });
    expect(find([observe('2026-03-24 23:00', 'PROCESSING')], undefined, item)).toHaveLength(0);
    expect(find([observe('2026-03-25 00:30', 'PROCESSING')], undefined, item)).toHaveLength(1);
  });

  test('names none while the bank file is late', () => {
    const observations = [observe('2026-03-30 10:00', 'PROCESSING')];
    expect(find(observations, '2026-03-10')).toEqual([]);
    expect(firstDayOf('late_settlement', { items: [card], observations })).toBe('2026-03-11');
  });

  test('names none that was late and moved on', () => {
    const late = observe('2026-03-12 10:00', 'PROCESSING');
    expect(find([late])).toHaveLength(1);
    expect(find([observe('2026-03-13 10:00', 'AVAILABLE'), late])).toEqual([]);
    expect(find([observe('2026-03-12 10:00', 'AVAILABLE'), late])).toEqual([]);
    expect(find([observe('2026-03-13 10:00', ''), observe('2026-03-11 10:00', 'AVAILABLE'), late])).toHaveLength(1);
  });

  test.each([
    ['that is AVAILABLE by then', card, 'AVAILABLE'],
    ['of a channel that has no T+1', unpaid('a', '2026-03-05 10:00', 100, { channel: 'pos' }), 'PROCESSING'],
  ])('does not name an item %s', (_what, item, status) => {
    expect(
      find([observe('2026-03-06 07:00', 'PROCESSING'), observe('2026-03-30 10:00', status)], undefined, item),
    ).toEqual([]);
  });
});
