// Goal: money missing at the bank is reported on the day after its grace, not before, and each item once.
// Method: hand-made inferences; the first day of a break is searched day by day, around week-ends and a holiday.
import { describe, expect, test } from '@jest/globals';
import { businessDate } from '../../../../src/kernel';
import {
  at,
  credit,
  dailyPayouts,
  fingerprints,
  firstDayOf,
  judge,
  type KnownCredit,
  type KnownItem,
  ofClass,
  payout,
  unpaid,
} from './judged-file';

/** So long ago that it says nothing of when the next one should come. */
const ONCE_PAID = payout('long-ago', '2026-01-05 17:00', '2026-01-06');

const states = (items: readonly KnownItem[], credits: readonly KnownCredit[], horizon?: string): string[] =>
  judge({ items, credits }, horizon).items.map(({ state }) => state);

describe('an item that no credit paid', () => {
  // Swept by the next working day, booked on the one after, three more of grace; a break on the working day after those.
  test.each([
    ['Monday', '2026-03-02 10:00', '2026-03-10'],
    ['Monday, in the last minute', '2026-03-02 23:59', '2026-03-10'],
    ['Tuesday, in the first minute', '2026-03-03 00:00', '2026-03-11'],
    ['Friday', '2026-03-06 10:00', '2026-03-16'],
    ['Saturday', '2026-03-07 10:00', '2026-03-17'],
    ['Sunday', '2026-03-08 10:00', '2026-03-17'],
    ['Thursday before a holiday', '2026-03-19 10:00', '2026-03-30'],
    ['a holiday', '2026-03-20 10:00', '2026-03-31'],
  ])('is missing when it is of %s, %s, from %s on', (_day, time, expected) => {
    expect(firstDayOf('missing_in_bank', { items: [unpaid('a', time, 100)], credits: [ONCE_PAID] })).toBe(expected);
  });

  test('is pending until then and open from then on', () => {
    const items = [unpaid('a', '2026-03-02 10:00', 100)];
    expect(states(items, [ONCE_PAID], '2026-03-09')).toEqual(['pending']);
    expect(states(items, [ONCE_PAID], '2026-03-10')).toEqual(['open']);
  });

  test('reports the day by which it should have come', () => {
    const { items } = judge({ items: [unpaid('a', '2026-03-02 10:00', 100)], credits: [ONCE_PAID] }, '2026-03-02');
    expect(items).toEqual([
      { itemId: 'a', state: 'pending', evidence: undefined, lineId: undefined, dueOn: '2026-03-09' },
    ]);
  });

  test('does not become late over a week-end', () => {
    const items = [unpaid('a', '2026-02-26 10:00', 100)];
    // Due on Thursday 5 March: Friday makes it late. One that is due on Friday is not late on the Sunday.
    expect(states(items, [ONCE_PAID], '2026-03-06')).toEqual(['open']);
    expect(states([unpaid('b', '2026-02-27 10:00', 100)], [ONCE_PAID], '2026-03-08')).toEqual(['pending']);
  });

  test('gets no older while the bank file is late', () => {
    // Days later by any clock, but the statement ends on 9 March: without a horizon that is the last day that counts.
    const credits = [ONCE_PAID, credit('other', '2026-03-09', 7)];
    expect(judge({ items: [unpaid('a', '2026-03-02 10:00', 100)], credits }).breaks).toEqual([]);
  });

  test('is pending while there is no statement at all', () => {
    expect(states([unpaid('a', '2026-03-02 10:00', 100)], [])).toEqual(['pending']);
  });

  test('waits as long as the settings say', () => {
    const file = { items: [unpaid('a', '2026-03-02 10:00', 100)], credits: [ONCE_PAID] };
    expect(judge(file, '2026-03-05', { missingInBank: 0 }).breaks).toHaveLength(1);
    expect(judge(file, '2026-03-05', { missingInBank: 1 }).breaks).toHaveLength(0);
  });
});

describe('one break of a stream and a day', () => {
  test('holds all items of that day and what they are worth together, refunds taken off and whole pairs left out', () => {
    const items = [
      unpaid('b', '2026-03-02 23:30', 20),
      unpaid('a', '2026-03-02 10:00', 100),
      unpaid('a-back', '2026-03-02 11:00', -40, { refundOf: 'a' }),
      unpaid('p', '2026-03-02 10:00', 70),
      unpaid('p-back', '2026-03-02 11:00', -70, { refundOf: 'p' }),
      unpaid('c', '2026-03-03 00:30', 3),
      unpaid('d', '2026-03-03 00:30', 5, { stream: 'card', channel: 'card' }),
    ];
    const credits = [ONCE_PAID, payout('card', '2026-01-05 17:00', '2026-01-06', { stream: 'card' })];
    expect(judge({ items, credits }, '2026-03-31').breaks).toEqual([
      {
        fingerprint: 'missing_in_bank:all:2026-03-02',
        breakClass: 'missing_in_bank',
        amount: 80,
        itemIds: ['a', 'a-back', 'b'],
        lineIds: [],
        since: '2026-03-02',
      },
      expect.objectContaining({ fingerprint: 'missing_in_bank:all:2026-03-03', amount: 3, itemIds: ['c'] }),
      expect.objectContaining({ fingerprint: 'missing_in_bank:card:2026-03-03', amount: 5, itemIds: ['d'] }),
    ]);
  });

  test('is split into parts where one exact amount cannot hold the sum', () => {
    const huge = Number.MAX_SAFE_INTEGER;
    const items = [unpaid('a', '2026-03-02 10:00', huge), unpaid('b', '2026-03-02 10:00', huge)];
    const { breaks } = judge({ items, credits: [ONCE_PAID] }, '2026-03-31');
    expect(breaks.map(({ fingerprint, amount, itemIds }) => [fingerprint, amount, itemIds])).toEqual([
      ['missing_in_bank:all:2026-03-02', huge, ['a']],
      ['missing_in_bank:all:2026-03-02:2', huge, ['b']],
    ]);
  });

  test('lists its items by the bytes of their ids, also beyond the first Unicode plane', () => {
    const items = ['\u{1f600}', '\uff5e', 'z', 'Z'].map((id) => unpaid(id, '2026-03-02 10:00', 1));
    const [found] = judge({ items, credits: [ONCE_PAID] }, '2026-03-31').breaks;
    expect(found?.itemIds).toEqual(['Z', 'z', '\uff5e', '\u{1f600}']);
  });
});

describe('a settled item', () => {
  test.each([
    ['that a resolved credit paid', { lineId: 'long-ago', evidence: 'inferred_by_cut' as const }],
    ['that left with its own refund', { cancelled: true }],
  ])('is in no break and has no due day: %s', (_what, known) => {
    const items = [unpaid('a', '2026-03-02 10:00', 100, known)];
    const result = judge({ items, credits: [ONCE_PAID] }, '2026-05-31');
    expect(result.breaks).toEqual([]);
    expect(result.items).toEqual([
      expect.objectContaining({ state: 'settled', lineId: items[0]?.inferred.lineId, dueOn: undefined }),
    ]);
  });
});

describe('the cadence of a stream', () => {
  const weekly = ['2026-02-06', '2026-02-13', '2026-02-20', '2026-02-27'].map((friday) =>
    payout(`payout-${friday}`, `${friday} 17:00`, friday === '2026-02-27' ? '2026-03-02' : addWeekend(friday)),
  );

  test('lets an item wait for the next weekly payout', () => {
    // Next booking on Monday 9 March, three working days of grace.
    const items = [unpaid('a', '2026-03-02 10:00', 100)];
    expect(firstDayOf('missing_in_bank', { items, credits: weekly })).toBe('2026-03-13');
  });

  test('is known from the payouts of earlier runs as well', () => {
    const payouts = weekly.map(({ line, credit: { cut = { after: 0, until: 0 } } }) => ({
      stream: 'all' as const,
      cut,
      bookingDate: line.bookingDate,
    }));
    const items = [unpaid('a', '2026-03-02 10:00', 100)];
    const history = { model: 'sweep-all' as const, payouts };
    expect(firstDayOf('missing_in_bank', { items, history })).toBe('2026-03-13');
  });

  test('follows a change of schedule after two equal steps', () => {
    const daily = dailyPayouts('2026-01-12', '2026-01-30');
    const items = [unpaid('a', '2026-03-02 10:00', 100)];
    expect(firstDayOf('missing_in_bank', { items, credits: [...daily, ...weekly] })).toBe('2026-03-13');
  });

  test('is not lengthened by one payout that is missing', () => {
    const credits = dailyPayouts('2026-02-02', '2026-02-27', ['2026-02-26']);
    const items = [unpaid('a', '2026-02-27 17:30', 100)];
    // The last booking is Monday 2 March, the next one should have been on the 3rd.
    expect(firstDayOf('missing_in_bank', { items, credits })).toBe('2026-03-09');
  });

  test('ignores the cadence of another stream', () => {
    const credits = [
      ONCE_PAID,
      ...weekly.map((known) => ({ ...known, credit: { ...known.credit, stream: 'qr' as const } })),
    ];
    const items = [unpaid('a', '2026-03-02 10:00', 100)];
    expect(firstDayOf('missing_in_bank', { items, credits })).toBe('2026-03-10');
  });

  test('never excuses an item that a later payout went past', () => {
    const credits = [...weekly, payout('extra', '2026-03-02 17:00', '2026-03-03')];
    const items = [unpaid('a', '2026-03-02 10:00', 100)];
    expect(firstDayOf('missing_in_bank', { items, credits })).toBe('2026-03-09');
  });

  function addWeekend(friday: string): string {
    return friday.replace(/\d\d$/, (day) => String(Number(day) + 3).padStart(2, '0'));
  }
});

describe('a credit that may hold the money', () => {
  const items = [unpaid('a', '2026-03-04 10:00', 100)];
  const around = dailyPayouts('2026-02-16', '2026-03-12', ['2026-03-04']);
  const missing = (open: KnownCredit): number =>
    ofClass(judge({ items, credits: [...around, open] }, '2026-03-31'), 'missing_in_bank').length;

  test.each([
    ['ambiguous', { outcome: 'ambiguous', stream: 'all', cause: 'competing' }],
    ['ambiguous, of a stream that is not known', { outcome: 'ambiguous', cause: 'competing' }],
    ['not searched to the end', { outcome: 'search_cut_short' }],
    ['a part of a payout', { outcome: 'unexplained', cause: 'split' }],
  ] as const)('keeps the item out of the missing ones when it is %s', (_what, said) => {
    expect(missing(credit('open', '2026-03-05', 90, said))).toBe(0);
  });

  test.each([
    ['is explained by nothing', '2026-03-05', { outcome: 'unexplained' }],
    ['is of another stream', '2026-03-05', { outcome: 'ambiguous', stream: 'card' }],
    ['was booked before', '2026-03-03', { outcome: 'ambiguous' }],
    ['was booked on the day of the item', '2026-03-04', { outcome: 'ambiguous' }],
    ['was booked after a payout that was cut later', '2026-03-09', { outcome: 'ambiguous' }],
    [
      'was cut before',
      '2026-03-05',
      { outcome: 'ambiguous', cut: { after: at('2026-03-03 16:00'), until: at('2026-03-03 17:00') } },
    ],
  ] as const)('does not when it %s', (_what, date, said) => {
    expect(missing(credit('open', date, 90, said))).toBe(1);
  });

  test('may be any credit up to the due day where the bank books payouts out of order', () => {
    const overtaken = payout('overtaken', '2026-02-16 12:00', '2026-02-19');
    const file = (date: string) => ({
      items,
      credits: [...around, overtaken, credit('open', date, 90, { outcome: 'ambiguous' })],
    });
    // The payout of the next day was booked on Friday 6 March; the item is due on Tuesday 10 March.
    expect(fingerprints(judge(file('2026-03-10'), '2026-03-31'))).not.toContain('missing_in_bank:all:2026-03-04');
    expect(fingerprints(judge(file('2026-03-11'), '2026-03-31'))).toContain('missing_in_bank:all:2026-03-04');
  });

  test('may be one of the same day where the bank has booked a payout on the day of its cut', () => {
    const quick = payout('quick', '2026-02-16 12:00', '2026-02-16');
    const credits = [...around, quick, credit('open', '2026-03-04', 90, { outcome: 'ambiguous' })];
    expect(fingerprints(judge({ items, credits }, '2026-03-31'))).not.toContain('missing_in_bank:all:2026-03-04');
  });

  test('keeps an item that it names out of the missing ones, however late it was booked', () => {
    expect(missing(credit('open', '2026-03-20', 90, { outcome: 'ambiguous', commonCore: ['a'] }))).toBe(0);
    expect(missing(credit('open', '2026-03-20', 90, { outcome: 'ambiguous', proposal: ['a'] }))).toBe(0);
  });

  test('leaves the item open because its payment is not proved', () => {
    const credits = [...around, credit('open', '2026-03-05', 90, { outcome: 'ambiguous' })];
    const result = judge({ items, credits }, '2026-03-31');
    expect(result.items.map(({ state }) => state)).toEqual(['open']);
    expect(fingerprints(result)).toEqual(['ambiguous_payout:open']);
  });
});

test('reports exactly the items of a whole missing payout', () => {
  const credits = dailyPayouts('2026-03-02', '2026-03-18', ['2026-03-10']);
  const items = [
    unpaid('evening', '2026-03-09 18:00', 10),
    unpaid('morning', '2026-03-10 09:00', 20),
    unpaid('next', '2026-03-11 09:00', 30, { lineId: 'payout-2026-03-11', evidence: 'inferred_by_cut' }),
    unpaid('waiting', '2026-03-18 18:00', 40),
  ];
  const result = judge({ items, credits });
  expect(result.breaks.map(({ since, itemIds }) => [since, itemIds])).toEqual([
    [businessDate('2026-03-09'), ['evening']],
    [businessDate('2026-03-10'), ['morning']],
  ]);
  expect(result.items.map(({ state }) => state)).toEqual(['open', 'open', 'settled', 'pending']);
});
