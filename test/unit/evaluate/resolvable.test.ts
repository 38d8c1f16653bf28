// Goal: the ceiling counts exactly the credits that an ideal reader of the files can resolve.
// Method: small worlds by hand, where the number of explanations of a credit is known.
import { describe, expect, test } from '@jest/globals';
import { resolvableLines } from '../../../scripts/evaluate/score/resolvable';
import { aSmallWorld, seen, type SmallItem, type SmallLine } from './a-small-world';

const MONDAY: readonly SmallItem[] = [
  { id: 'a', amount: 5_000, when: '2026-03-02 09:00' },
  { id: 'b', amount: 7_000, when: '2026-03-02 10:00' },
];
const TUESDAY: readonly SmallItem[] = [
  { id: 'c', amount: 11_000, when: '2026-03-03 09:00' },
  { id: 'd', amount: 13_000, when: '2026-03-03 10:00' },
];
const FIRST: SmallLine = { id: 'first', day: '2026-03-03', cut: '2026-03-02 17:00', paid: ['a', 'b'] };
const SECOND: SmallLine = { id: 'second', day: '2026-03-04', cut: '2026-03-03 17:00', paid: ['c', 'd'] };

const resolvable = (...world: Parameters<typeof aSmallWorld>): string[] => [...resolvableLines(aSmallWorld(...world))];

describe('the ceiling', () => {
  test('holds the whole payouts of known items', () => {
    expect(resolvable([...MONDAY, ...TUESDAY], [FIRST, SECOND])).toEqual(['first', 'second']);
  });

  test.each([
    ['with an amount that no item explains', { ...SECOND, unknown: 500 }],
    ['that is a part of a payout', { ...SECOND, kind: 'split' as const }],
    ['of another payer', { ...SECOND, kind: 'unrelated' as const }],
    ['of items that are all older than the files', { ...SECOND, paid: [], unknown: 24_000 }],
  ])('holds no credit %s', (_, second) => {
    expect(resolvable([...MONDAY, ...TUESDAY], [FIRST, second])).toEqual(['first']);
  });

  test('holds both credits of a payout that was returned and paid again', () => {
    const returned: SmallLine = { ...FIRST, kind: 'returned_credit' };
    const again: SmallLine = { ...FIRST, id: 'again', day: '2026-03-06', kind: 'paid_again' };
    expect(resolvable([...MONDAY, ...TUESDAY], [returned, SECOND, again])).toEqual(['first', 'second', 'again']);
  });

  test('holds two payouts in one credit as their union', () => {
    const merged: SmallLine = {
      id: 'both',
      day: '2026-03-04',
      cuts: ['2026-03-02 17:00', '2026-03-03 17:00'],
      paid: ['a', 'b', 'c', 'd'],
      kind: 'merged',
    };
    expect(resolvable([...MONDAY, ...TUESDAY], [merged])).toEqual(['both']);
  });
});

describe('an item that a cut passed over', () => {
  const passed = (twinAmount: number): string[] =>
    resolvable(
      [{ id: 'twin', amount: twinAmount, when: '2026-03-02 08:00' }, ...MONDAY, ...TUESDAY],
      [
        { ...FIRST, paid: ['twin', 'a'] },
        { ...SECOND, paid: ['b', 'c', 'd'] },
      ],
    );

  test('leaves its payout resolvable when no other item could be the one', () => {
    expect(passed(3_000)).toContain('first');
  });

  test('leaves it open when an item of the same amount could be', () => {
    expect(passed(7_000)).not.toContain('first');
  });

  test('is not an explanation where nothing was passed over', () => {
    // Without `a` and with a later cut the sum would be the same; nothing in the truth asks for it.
    const items = [...MONDAY, { id: 'x', amount: 5_000, when: '2026-03-02 18:00' }, ...TUESDAY];
    expect(resolvable(items, [FIRST, { ...SECOND, paid: ['x', 'c', 'd'] }])).toContain('first');
  });
});

describe('an item that the files state after its cut', () => {
  const late = (equalAmount: number, equalWhen = '2026-03-02 19:00'): string[] =>
    resolvable(
      [
        ...MONDAY,
        { id: 'late', amount: 3_000, when: '2026-03-02 18:00', available: '2026-03-02 16:00', recordedLate: true },
        { id: 'equal', amount: equalAmount, when: equalWhen },
        ...TUESDAY,
      ],
      [
        { ...FIRST, paid: ['a', 'b', 'late'] },
        { ...SECOND, paid: ['equal', 'c', 'd'] },
      ],
    );

  test('leaves its payout resolvable when no other item could be the one', () => {
    expect(late(4_000)).toContain('first');
    expect(late(3_000, '2026-03-03 10:30')).toContain('first');
  });

  test('leaves it open when an item of the same amount happened in the next hours', () => {
    expect(late(3_000)).not.toContain('first');
  });

  test('leaves it open when a later cut may have passed it over', () => {
    expect(late(3_000, '2026-03-03 08:00')).not.toContain('first');
  });
});

test('holds no two payouts of one amount that were booked on one day', () => {
  const equal = TUESDAY.map((item, index) => ({ ...item, amount: [5_000, 7_000][index] ?? 0 }));
  const second = { ...SECOND, day: FIRST.day };
  expect(resolvable([...MONDAY, ...equal], [FIRST, second])).toEqual([]);
  expect(resolvable([...MONDAY, ...equal], [FIRST, SECOND])).toEqual(['first', 'second']);
});

test('holds nothing in a guard', () => {
  expect(resolvable([...MONDAY, ...TUESDAY], [FIRST, SECOND], { isGuard: true })).toEqual([]);
});

describe('a cut inside the hours in which cards become available', () => {
  const card = (id: string, amount: number, available: string): SmallItem => ({
    id,
    amount,
    channel: 'card',
    when: '2026-03-02 12:00',
    available,
  });
  const early = card('early', 5_000, '2026-03-03 06:05');
  const late = card('late', 5_000, '2026-03-03 06:35');
  const other = card('other', 6_000, '2026-03-03 06:30');
  const lines: readonly SmallLine[] = [
    { id: 'first', day: '2026-03-04', cut: '2026-03-03 06:20', paid: ['early'] },
    { id: 'second', day: '2026-03-05', cut: '2026-03-04 06:20', paid: ['late', 'other'] },
  ];

  test('is open when two cards of one amount could be on either side', () => {
    expect(resolvable([early, late, other], lines)).toEqual([]);
  });

  test('is decided by an observation that saw one of them unpaid behind the cut', () => {
    const observations = [seen('late', '2026-03-03 08:00', 'AVAILABLE')];
    expect(resolvable([early, late, other], lines, { observations })).toEqual(['first', 'second']);
  });

  test('is decided by an observation that saw one of them in its payout', () => {
    const observations = [seen('early', '2026-03-03 08:00', 'IN_PAYOUT')];
    expect(resolvable([early, late, other], lines, { observations })).toEqual(['first', 'second']);
  });

  test('is not decided by a payout that was called off', () => {
    const observations = [
      seen('early', '2026-03-03 06:10', 'IN_PAYOUT'),
      seen('early', '2026-03-03 06:12', 'AVAILABLE'),
    ];
    expect(resolvable([early, late, other], lines, { observations })).toEqual([]);
  });
});

describe('items that are paid one by one', () => {
  const one = (id: string, cut = '2026-03-02 17:00'): SmallLine => ({
    id: `of-${id}`,
    day: '2026-03-04',
    cut,
    paid: [id],
  });
  const perItem = { truth: { model: 'per-item' as const } };

  test('are twins when their amounts are equal and their cut is one', () => {
    const items = [...MONDAY, { id: 'twin', amount: 5_000, when: '2026-03-02 11:00' }, ...TUESDAY];
    const lines = [one('a'), one('b'), one('twin'), one('c', '2026-03-03 17:00')];
    expect(resolvable(items, lines, perItem)).toEqual(['of-b', 'of-c']);
  });

  test('are not twins of a payout that was returned', () => {
    const returned: SmallLine = { ...one('a'), kind: 'returned_credit' };
    const again: SmallLine = { ...one('a'), id: 'again', day: '2026-03-06', kind: 'paid_again' };
    expect(resolvable(MONDAY, [returned, one('b'), again], perItem)).toEqual(['of-a', 'of-b', 'again']);
  });
});
