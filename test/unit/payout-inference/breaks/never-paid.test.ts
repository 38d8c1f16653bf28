import { describe, expect, test } from '@jest/globals';
import { credit, fingerprints, judge, payout, unpaid } from './judged-file';

describe('a stream that no resolved credit ever paid', () => {
  const items = [
    unpaid('c', '2026-04-01 00:10', 3),
    unpaid('a', '2026-03-05 10:00', 100),
    unpaid('b', '2026-03-31 23:50', 20),
    unpaid('young', '2026-04-24 10:00', 7),
  ];

  test('has one break a month with what is past its grace, and none of it is missing in the bank', () => {
    expect(judge({ items, credits: [credit('other', '2026-04-27', 1)] }).breaks).toEqual([
      {
        fingerprint: 'clearing_unexplained:all:2026-03',
        breakClass: 'clearing_unexplained',
        amount: 120,
        itemIds: ['a', 'b'],
        lineIds: [],
        since: '2026-03-05',
      },
      expect.objectContaining({
        fingerprint: 'clearing_unexplained:all:2026-04',
        amount: 3,
        itemIds: ['c'],
        since: '2026-04-01',
      }),
    ]);
  });

  test('is told apart from one that is paid', () => {
    const card = unpaid('card', '2026-03-05 10:00', 9, { channel: 'card', stream: 'card' });
    const credits = [payout('p', '2026-01-05 17:00', '2026-01-06', { stream: 'card' })];
    expect(fingerprints(judge({ items: [...items.slice(0, 2), card], credits }, '2026-03-31'))).toEqual([
      'clearing_unexplained:all:2026-03',
      'missing_in_bank:card:2026-03-05',
    ]);
  });

  test('stands under the channel of its items when the model has no payouts for that channel', () => {
    const lost = unpaid('a', '2026-03-05 10:00', 100, { stream: undefined, channel: 'qr' });
    expect(fingerprints(judge({ items: [lost] }, '2026-03-31'))).toEqual(['clearing_unexplained:qr:2026-03']);
  });

  test('reports its whole balance, even beside ambiguous credits', () => {
    const open = credit('open', '2026-03-06', 100, { outcome: 'ambiguous', commonCore: ['a'] });
    expect(fingerprints(judge({ items: items.slice(1, 2), credits: [open] }, '2026-03-31'))).toEqual([
      'clearing_unexplained:all:2026-03',
      'ambiguous_payout:open',
    ]);
  });
});
